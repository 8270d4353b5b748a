export { BaseState } from './base-state.ts';
export { checkKey, checkKind } from './checks.ts';
export { decide, type Step, tombstone } from './decide.ts';
export { ResourceError, type ResourceErrorCode } from './errors.ts';
export { decodeJson, encodeJson } from './json-text.ts';
export { memoryState, MemoryState } from './memory-state.ts';
export type { CreateOptions, GuardOptions, Operation, UpdateOptions } from './operation.ts';
export { type IdTerm, type LabelTerm, matches, type Query } from './query.ts';
export {
  type Bookmark,
  byId,
  fieldsOf,
  type Json,
  type Key,
  type Kind,
  keyText,
  type Metadata,
  type Phase,
  type Resource,
  type ResourceEvent,
} from './resource.ts';
export { type Change, covered, type Covered, firstBatch, firstOfKey, seenThrough } from './seen.ts';
export { StateError, type StateErrorCode } from './state-error.ts';
export type { Committed, Listing, State, StateEvent, WatchRequest } from './state.ts';
export { Store, type StoreOptions, type WriteOptions } from './store.ts';
