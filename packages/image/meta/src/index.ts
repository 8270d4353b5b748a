export { MetaError, type MetaErrorCode } from './errors.ts';
export {
  copyOffsets,
  encodeMeta,
  isTornMeta,
  type MetaRecord,
  metaSizeBytes,
  type MetaValues,
  type MetaWrite,
  readMeta,
  writeMeta,
} from './record.ts';
export { decodeJsonValue, encodeJsonValue, isPublicTag, isSensitiveTag, metaTag } from './tags.ts';
