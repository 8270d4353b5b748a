// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  EventType,
  Phase,
  GetRequest,
  GetResponse,
  ListRequest,
  ListResponse,
  WatchRequest,
  WatchResponse,
  Event,
  Bookmark,
  Resource,
  Metadata,
  ResourceService,
} from './nodecore-v1.js';
