export { ViewError, type ViewErrorCode } from './errors.ts';
export type { BytesExtent, Extent, FileExtent, FileIdentity, HoleExtent } from './extent.ts';
export { fileView, type StreamOptions, View } from './view.ts';
export type { WriteViewOptions } from './write.ts';
