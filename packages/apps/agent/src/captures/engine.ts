import {
  type Capture,
  captureToFile,
  type FileCapture,
  type FileOptions,
  interfaces,
  type CaptureInterface,
  open,
  type OpenOptions,
} from '@nodecore/capture';

/** The part of a capture that a stream needs. */
export type LiveCapture = Pick<
  Capture,
  'interfaces' | 'statistics' | typeof Symbol.asyncIterator | typeof Symbol.asyncDispose
>;
export type WritingCapture = Pick<
  FileCapture,
  'interfaces' | 'statistics' | 'summary' | typeof Symbol.asyncDispose
>;

/** What takes packets; tests put their own in its place. */
export type Engine = {
  readonly interfaces: () => readonly CaptureInterface[];
  readonly open: (options: OpenOptions) => Promise<LiveCapture>;
  readonly captureToFile: (path: string, options: FileOptions) => Promise<WritingCapture>;
};

/** The interfaces of this network namespace. To capture from them needs CAP_NET_RAW; the caller disposes of each capture. */
export const kernel: Engine = { interfaces, open, captureToFile };
