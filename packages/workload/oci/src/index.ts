export { type Filled, fillCache, type FillOptions } from './cache/fill.ts';
export { CacheSource } from './cache/source.ts';
export { cacheFindings, type CacheFinding } from './cache/verify.ts';
export type { Credentials } from './client/asker.ts';
export { downloadBlob, writeBlob } from './client/download.ts';
export { endpointOf } from './client/endpoint.ts';
export { RegistryClient, type RegistryClientOptions } from './client/registry-client.ts';
export { type SourceAnswer, SourceRegistry, type SourceRequest } from './client/source-registry.ts';
export { assertDigest, type Digest, DigestCheck, digestOf, isDigest } from './digest.ts';
export { OciError, type OciErrorCode } from './errors.ts';
export { OciLayout } from './layout/layout.ts';
export { type LayerFile, layerFiles } from './layer/read.ts';
export { type TarEntry, tarParts } from './layer/tar.ts';
export { unpackLayer } from './layer/unpack.ts';
export { zstdFrames } from './layer/zstd-frames.ts';
export {
  acceptedManifests,
  type Descriptor,
  formatIndex,
  formatManifest,
  type ImageIndex,
  type Manifest,
  type ManifestOrIndex,
  mediaTypes,
  parseManifest,
  type Platform,
  platformOf,
} from './manifest.ts';
export { isHeld, isWanted } from './conditions.ts';
export { type ByteRange, readRange } from './range.ts';
export {
  formatReference,
  isRepository,
  isTag,
  parseImageName,
  parseReference,
  type Reference,
} from './reference.ts';
export { answerRegistry, isRegistryPath } from './server/answer-registry.ts';
export type { RegistryAnswer, RegistryRequest, RegistrySource, StoredManifest } from './server/answer.ts';
