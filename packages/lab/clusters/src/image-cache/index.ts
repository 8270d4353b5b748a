/** Caches of images: how they are filled, looked at and served, to machines of a cluster and to any other node. */
export {
  cacheFindings,
  type CacheFinding,
  type Credentials,
  type Filled,
  fillCache,
  formatReference,
  layerFiles,
  OciError,
  parseImageName,
  parseReference,
  type Platform,
  type Reference,
  RegistryClient,
  zstdFrames,
} from '@nodecore/oci';
export { type CacheServer, type CacheServerOptions, serveCache } from './server.ts';
