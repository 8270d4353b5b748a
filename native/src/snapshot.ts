/** Snapshots of the kvstore, and nothing else: what is not loaded delays no client's start. */
export { NativeError, type NativeErrorCode } from './errors.ts';
export {
  type SnapshotAnswer,
  SnapshotDownload,
  type SnapshotLayout,
  type SnapshotMessageFault,
  type SnapshotRequest,
} from './snapshot-download.ts';
export { SnapshotFileCheck } from './snapshot-file-check.ts';
export { SnapshotSink, type SnapshotSinkOptions } from './snapshot-sink.ts';
export {
  type SnapshotDefect,
  type SnapshotEnd,
  type SnapshotStatus,
  type SnapshotVerdict,
} from './snapshot-verdict.ts';
