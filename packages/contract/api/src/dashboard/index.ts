export type { ColumnOf } from './body.ts';
export { Dashboard, type DashboardOptions, type DashboardScreen } from './dashboard.ts';
export type { DashboardClient, DashboardNode, Notes } from './dashboard-node.ts';
export type { Size } from './frame.ts';
export { KeyFeed } from './key-feed.ts';
export type { Key } from './keys.ts';
