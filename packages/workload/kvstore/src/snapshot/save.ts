import type { Kvstore } from '../kvstore.ts';
import { fileReceiver } from './file-receiver.ts';
import type { SnapshotInfo } from './info.ts';
import { pumpSnapshot, type SnapshotCallOptions } from './pump.ts';
import { writeSnapshot, type WriteSnapshotOptions } from './receive.ts';

export type SaveSnapshotOptions = WriteSnapshotOptions & SnapshotCallOptions;

/**
 * Saves a snapshot of a member's database: what is in the file was hashed, compared with the hash that etcd sends, walked
 * through page by page, and is on the disk. Works without a leader, and of a learner. Otherwise nothing is left.
 *
 * @throws {KvstoreError} of the member, of the file, or of what came.
 */
export function saveSnapshot(kvstore: Kvstore, options: SaveSnapshotOptions): Promise<SnapshotInfo> {
  return writeSnapshot(options, (sink, meter) =>
    pumpSnapshot(kvstore, fileReceiver(options.file, sink, meter), options),
  );
}
