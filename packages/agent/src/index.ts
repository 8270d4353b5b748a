export { ResourceError, type ResourceErrorCode } from './resources/errors.ts';
export { Store, type StoreOptions, type WriteOptions } from './resources/store.ts';
export type { Bookmark, Key, Kind, Metadata, Resource, ResourceEvent } from './resources/resource.ts';
