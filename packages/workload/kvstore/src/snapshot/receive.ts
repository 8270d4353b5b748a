import { SnapshotSink } from '@nodecore/native/snapshot';
import { onAbort } from '@nodecore/waiting';

import { KvstoreError } from '../errors.ts';
import { requirePath } from '../path.ts';
import { infoOf, type SnapshotInfo, verdictOf } from './info.ts';
import { ProgressMeter, type SnapshotProgress } from './progress.ts';
import { SinkTaker } from './sink-taker.ts';

export type WriteSnapshotOptions = {
  /** Where it goes. Until it is complete, on the disk and proven, it is `FILE.part`. */
  readonly file: string;
  /** A file of that name may be replaced; default false. */
  readonly replace?: boolean | undefined;
  /** Called ten times a second at most, and at the end. */
  readonly onProgress?: ((progress: SnapshotProgress) => void) | undefined;
  /** Ends it, and leaves nothing. */
  readonly signal?: AbortSignal | undefined;
};

export type ReceiveSnapshotOptions = WriteSnapshotOptions & {
  /** How many bytes come, with the digest behind the database, when that is known. */
  readonly totalBytes?: bigint | undefined;
};

/**
 * Saves a snapshot that comes from somewhere else in pieces, such as a `SnapshotStream`. What is in the file was hashed,
 * compared with the hash that etcd sends, walked through page by page, and is on the disk. Otherwise nothing is left.
 *
 * @throws {KvstoreError} of the file, or of what came; and what the source throws.
 */
export function receiveSnapshot(
  source: AsyncIterable<Uint8Array>,
  options: ReceiveSnapshotOptions,
): Promise<SnapshotInfo> {
  const { file, totalBytes, signal } = options;
  return writeSnapshot(options, async (sink, meter) => {
    const taker = new SinkTaker(sink, file, meter);
    if (totalBytes !== undefined) taker.total(totalBytes);
    for await (const bytes of source) {
      signal?.throwIfAborted();
      await taker.take(bytes);
    }
  });
}

/** Writes what `fill` brings, and proves it. When `fill` has ended, it must not be waiting for the sink any more. */
export async function writeSnapshot(
  { file, replace = false, onProgress, signal }: WriteSnapshotOptions,
  fill: (sink: SnapshotSink, meter: ProgressMeter) => Promise<void>,
): Promise<SnapshotInfo> {
  signal?.throwIfAborted();
  requirePath(file);
  using sink = SnapshotSink.open({ path: file, replace });
  const meter = new ProgressMeter(onProgress);
  try {
    await fill(sink, meter);
    signal?.throwIfAborted();
  } catch (error) {
    sink.abandon();
    // Also when the file has failed meanwhile: a caller that may not have a snapshot needn't name another file.
    await sink.ended();
    throw error;
  }
  sink.finish();
  using _listener = onAbort(signal, () => sink.abandon());
  const info = infoOf(file, verdictOf(file, await sink.ended(), signal));
  if (info.digest !== 'valid') {
    const words = `ends after ${info.fileBytes} bytes, without the SHA-256 that etcd puts behind a snapshot; take it again`;
    throw new KvstoreError('ERR_KVSTORE_SNAPSHOT_TRUNCATED', file, words);
  }
  meter.end();
  return info;
}
