export type { Address } from './address.ts';
export { FactoryError, type FactoryErrorCode } from './errors.ts';
export { type FactoryOptions, type RunningFactory, startFactory } from './serve.ts';
