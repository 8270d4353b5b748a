import { SnapshotFileCheck } from '@nodecore/native';

import { infoOf, type SnapshotInfo, verdictOf } from './info.ts';
import { ProgressMeter, type SnapshotProgress } from './progress.ts';

export type VerifySnapshotOptions = {
  readonly onProgress?: ((progress: SnapshotProgress) => void) | undefined;
  /** A wrong digest is told, and no error: what the structure proves is proven in any case. */
  readonly skipDigest?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Proves a file that `snapshot save` of etcd 3.4 to 3.6 wrote, or a database copied out of a data directory while its
 * server was stopped: the digest where there is one, and every page in use. Needs no etcd.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_SNAPSHOT_…`, with the page where there is one; `ERR_KVSTORE_NOT_FOUND`, `ERR_KVSTORE_FILE`
 */
export async function verifySnapshot(
  file: string,
  { onProgress, skipDigest, signal }: VerifySnapshotOptions = {},
): Promise<SnapshotInfo> {
  signal?.throwIfAborted();
  using check = SnapshotFileCheck.open(file);
  const abandon = (): void => check.abandon();
  signal?.addEventListener('abort', abandon);
  const meter = new ProgressMeter(onProgress);
  try {
    for (;;) {
      const end = await check.next();
      const { checkedBytes, fileBytes } = check.progress();
      if (fileBytes > 0n) meter.total(fileBytes);
      meter.add(Number(checkedBytes) - meter.bytes);
      if (end === undefined) continue;
      const info = infoOf(file, verdictOf(file, end, signal), skipDigest);
      meter.end();
      return info;
    }
  } finally {
    signal?.removeEventListener('abort', abandon);
  }
}
