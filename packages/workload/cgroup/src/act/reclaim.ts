import { CgroupError } from '../errors.ts';
import { errnoOf } from '../failure.ts';
import { single } from '../files/format.ts';
import type { HeldCgroup } from './held-cgroup.ts';

/** One write can't be cut short: the kernel looks for so much before it answers. */
const pieceBytes = 16 * 2 ** 20;

/** Others that would act wait meanwhile, and under pressure each piece takes long: what is left is for the next time. */
const maxMs = 5000;

export type Reclaimed = {
  /** What the kernel says it got back. */
  readonly reclaimedBytes: number;
  /** memory.current before and after; others go on meanwhile. */
  readonly beforeBytes: number;
  readonly afterBytes: number;
};

/**
 * Takes memory from a cgroup without hurting it: file pages are dropped, the rest is swapped out where there is swap
 * (cgroup-v2.rst, `memory.reclaim`, Linux 5.19). In pieces of 16 MiB, between which the signal ends it; less than asked
 * for when there is no more to get, or 5 s are over.
 *
 * @throws {CgroupError} `ERR_CGROUP_UNVERIFIED` when nothing could be had.
 */
export async function reclaim(
  cgroup: HeldCgroup,
  bytes: number,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Reclaimed> {
  const beforeBytes = single(await cgroup.read('memory.current')) ?? 0;
  let reclaimedBytes = 0;
  const until = performance.now() + maxMs;
  while (reclaimedBytes < bytes && options.signal?.aborted !== true && performance.now() < until) {
    const piece = Math.min(pieceBytes, Math.ceil(bytes - reclaimedBytes));
    if (!(await reclaimPiece(cgroup, piece))) break;
    reclaimedBytes += piece;
  }
  const afterBytes = single(await cgroup.read('memory.current')) ?? 0;
  if (reclaimedBytes === 0 && afterBytes >= beforeBytes)
    throw new CgroupError('ERR_CGROUP_UNVERIFIED', cgroup.path, 'nothing can be reclaimed from it');
  return { reclaimedBytes, beforeBytes, afterBytes };
}

/** @returns false when the kernel found less than that. */
async function reclaimPiece(cgroup: HeldCgroup, bytes: number): Promise<boolean> {
  try {
    await cgroup.write('memory.reclaim', String(bytes));
    return true;
  } catch (error) {
    if (error instanceof CgroupError && errnoOf(error.cause) === 'EAGAIN') return false;
    throw error;
  }
}
