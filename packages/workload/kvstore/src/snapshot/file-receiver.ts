import type { SnapshotSink } from '@nodecore/native/snapshot';

import type { ProgressMeter } from './progress.ts';
import type { SnapshotReceiver } from './transfer.ts';

/** Takes a snapshot for a file: no reader of batches waits for it. */
export function fileReceiver(file: string, sink: SnapshotSink, meter: ProgressMeter): SnapshotReceiver {
  return {
    target: { sink, subject: file },
    total: (bytes) => meter.total(bytes),
    took: (bytes) => {
      meter.add(bytes);
      return undefined;
    },
  };
}
