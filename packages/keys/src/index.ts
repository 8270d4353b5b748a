export { KeyError, type KeyErrorCode, type Permanence } from './errors.ts';
export { type KeyContext, type KeyKind, type KeySpec } from './key-spec.ts';
export { obtain, type ObtainOptions } from './obtain.ts';
