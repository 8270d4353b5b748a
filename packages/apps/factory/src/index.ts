export type { Address } from './address.ts';
export { type Authentication, defaultAuthentication } from './authentication.ts';
export { FactoryError, type FactoryErrorCode } from './errors.ts';
export type { FactoryOptions } from './factory-options.ts';
export { type RunningFactory, startFactory } from './serve.ts';
