import { SnapshotFileCheck, type SnapshotVerdict } from '@nodecore/native/snapshot';
import { onAbort } from '@nodecore/waiting';

import { requirePath } from '../path.ts';
import { infoOf, type SnapshotInfo, type SnapshotStatus, statusOf, verdictOf } from './info.ts';
import { ProgressMeter, type SnapshotProgress } from './progress.ts';

export type CheckSnapshotOptions = {
  readonly onProgress?: ((progress: SnapshotProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type VerifySnapshotOptions = CheckSnapshotOptions & {
  /** A wrong digest is told, and no error: what the structure proves is proven in any case. */
  readonly skipDigest?: boolean | undefined;
};

/**
 * Proves a file that `snapshot save` of etcd 3.4 or 3.5 wrote, or a database copied out of a data directory while its
 * server was stopped: the digest where there is one, and every page in use. Needs no etcd.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_SNAPSHOT_…`, with the page where there is one; `ERR_KVSTORE_NOT_FOUND`,
 *   `ERR_KVSTORE_FILE`
 */
export async function verifySnapshot(
  file: string,
  { skipDigest, ...options }: VerifySnapshotOptions = {},
): Promise<SnapshotInfo> {
  return await check(file, true, options, (verdict) => infoOf(file, verdict, skipDigest));
}

/**
 * What such a file holds, as `etcdutl snapshot status` prints it, with every page in use proven. The digest is not looked at,
 * which would take longer than all the rest: a changed value shows only in `hash`, and only to a caller that knows the
 * former one. {@link verifySnapshot} finds it.
 *
 * @throws {KvstoreError} as verifySnapshot, without `ERR_KVSTORE_SNAPSHOT_DIGEST`
 */
export async function snapshotStatus(
  file: string,
  options: CheckSnapshotOptions = {},
): Promise<SnapshotStatus> {
  return await check(file, false, options, (verdict) => statusOf(file, verdict));
}

async function check<Found>(
  file: string,
  hashes: boolean,
  { onProgress, signal }: CheckSnapshotOptions,
  judge: (verdict: SnapshotVerdict) => Found,
): Promise<Found> {
  signal?.throwIfAborted();
  requirePath(file);
  using work = SnapshotFileCheck.open(file, { hashes });
  using _listener = onAbort(signal, () => work.abandon());
  const meter = new ProgressMeter(onProgress);
  for (;;) {
    const end = await work.next();
    const { checkedBytes, fileBytes } = work.progress();
    if (fileBytes > 0n) meter.total(fileBytes);
    meter.add(Number(checkedBytes) - meter.bytes);
    if (end === undefined) continue;
    const found = judge(verdictOf(file, end, signal));
    meter.end();
    return found;
  }
}
