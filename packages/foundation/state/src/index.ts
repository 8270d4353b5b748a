export { ResourceError, type ResourceErrorCode } from './errors.ts';
export {
  type Bookmark,
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
export { Store, type StoreOptions, type WriteOptions } from './store.ts';
