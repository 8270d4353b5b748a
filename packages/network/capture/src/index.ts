export { batchHeadroomBytes } from '@nodecore/native';

export { Batch, type Packet } from './batch.ts';
export { type BatchFormat } from './batch-format.ts';
export { Capture, open, type OpenOptions } from './capture.ts';
export { CaptureError, type CaptureErrorCode } from './errors.ts';
export { captureToFile, FileCapture, type FileOptions, type FileSummary } from './file.ts';
export { type Direction } from './guard.ts';
export { anyInterface, type CaptureInterface, interfaces } from './interfaces.ts';
export { linkTypes, type LinkType } from './link-type.ts';
export { type CaptureOptions } from './options.ts';
export { LentBlock, type LentPacket, openRing, RingCapture, type RingOptions, type VlanTag } from './ring.ts';
export { type CapturedInterface } from './source.ts';
export { type CaptureStatistics, type InterfaceStatistics } from './statistics.ts';
