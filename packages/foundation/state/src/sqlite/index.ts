export type { SealingOptions } from './sealing.ts';
export { isSealedFile } from './sealed-file.ts';
export { sqliteState, type SqliteState, type SqliteStateOptions } from './sqlite-state.ts';
