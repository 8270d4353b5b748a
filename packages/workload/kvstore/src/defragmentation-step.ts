import { systemClock, type Clock } from '@nodecore/waiting';

import { Maintenance } from '../gen/etcdserverpb.js';
import { obstaclesIn, type DefragmentationStep } from './defragmentation-plan.ts';
import { isKvstoreError, KvstoreError } from './errors.ts';
import { inspect } from './inspect.ts';
import type { Kvstore } from './kvstore.ts';
import { describeMember, type Member } from './members.ts';
import { isHealthy } from './quorum.ts';
import type { Stall } from './stall.ts';
import { status } from './status.ts';

export type StepOptions = {
  /** The share of time, 0 to 1, in which tasks wait for I/O where the member is; undefined where it is unknown. */
  readonly readPressure?: ((member: Member) => Promise<number | undefined>) | undefined;
  /** The share at which a member is not begun with; 0.2 unless given. */
  readonly pressureLimit?: number | undefined;
  /** How long to wait for less pressure before giving up, in milliseconds; ten minutes unless given. */
  readonly patienceMs?: number | undefined;
  /** How much of the copy is written, where that can be seen; undefined when there is none. */
  readonly readWrittenBytes?: ((member: Member) => Promise<bigint | undefined>) | undefined;
  /** Longest time for one member, in milliseconds; ten minutes or ten times the estimate unless given. */
  readonly stepTimeoutMs?: number | undefined;
  /** Longest time until the cluster is well again after a member, in milliseconds; a minute unless given. */
  readonly settleTimeoutMs?: number | undefined;
  readonly onProgress?: ((progress: StepProgress) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type StepProgress =
  | { readonly state: 'waiting'; readonly member: Member; readonly pressure: number }
  | {
      readonly state: 'running';
      readonly member: Member;
      readonly elapsedMs: number;
      readonly estimatedMs: number;
      /** Of `totalBytes`, where that can be seen. */
      readonly writtenBytes: bigint | undefined;
      readonly totalBytes: bigint;
    }
  | { readonly state: 'settling'; readonly member: Member };

export type DefragmentationResult = {
  readonly member: Member;
  readonly beforeBytes: bigint;
  readonly afterBytes: bigint;
  /** For the history. */
  readonly stall: Stall;
};

const defaultPressureLimit = 0.2;
const defaultPatienceMs = 600_000;
const defaultSettleTimeoutMs = 60_000;
const minStepTimeoutMs = 600_000;
const lookEveryMs = 1_000;
const observeEveryMs = 250;
const settleEveryMs = 200;

/** Defragments one member, from calm to calm. Rejects with a {@link KvstoreError}, or with `signal.reason` before it begins. */
export async function defragmentMember(
  kvstore: Kvstore,
  step: DefragmentationStep,
  options: StepOptions,
): Promise<DefragmentationResult> {
  const { member, endpoint, inUseBytes, sizeBytes } = step;
  await calm(member, options);
  options.signal?.throwIfAborted();
  const tookMs = await run(kvstore, step, options);
  options.onProgress?.({ state: 'settling', member });
  await settled(kvstore, member, options);
  const { dbSizeBytes: afterBytes } = await status(kvstore, endpoint);
  return { member, beforeBytes: sizeBytes, afterBytes, stall: { memberId: member.id, inUseBytes, tookMs } };
}

async function calm(member: Member, options: StepOptions): Promise<void> {
  const { readPressure, pressureLimit = defaultPressureLimit, patienceMs = defaultPatienceMs } = options;
  const { clock = systemClock, onProgress, signal } = options;
  for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
    const pressure = await readPressure?.(member);
    if (pressure === undefined || pressure < pressureLimit) return;
    if (waitedMs >= patienceMs) {
      const message = `its disk stayed busy (${Math.round(pressure * 100)} % of the time); try again at another hour`;
      throw new KvstoreError('ERR_KVSTORE_REFUSED', describeMember(member), message);
    }
    onProgress?.({ state: 'waiting', member, pressure });
    await clock.sleep(lookEveryMs, signal);
  }
}

/** The call itself. It is not aborted: the member would go on all the same, and nothing would wait for it. */
async function run(
  kvstore: Kvstore,
  { member, endpoint, inUseBytes: totalBytes, estimatedStallMs: estimatedMs }: DefragmentationStep,
  options: StepOptions,
): Promise<number> {
  const { readWrittenBytes, onProgress, clock = systemClock } = options;
  const { stepTimeoutMs = Math.max(minStepTimeoutMs, estimatedMs * 10) } = options;
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  const ended = new AbortController();
  const call = kvstore
    .at(endpoint, Maintenance.defragment, {}, { timeoutMs: stepTimeoutMs })
    .finally(() => ended.abort());
  call.catch(() => {}); // awaited below
  while (!ended.signal.aborted) {
    const writtenBytes = await readWrittenBytes?.(member);
    if (ended.signal.aborted) break;
    onProgress?.({
      state: 'running',
      member,
      elapsedMs: elapsed(),
      estimatedMs,
      writtenBytes,
      totalBytes,
    });
    await clock.sleep(observeEveryMs, ended.signal).catch(() => {}); // ended
  }
  await call;
  return elapsed();
}

/** Waits until the member is in step again and no other was lost meanwhile. */
async function settled(kvstore: Kvstore, member: Member, options: StepOptions): Promise<void> {
  const { clock = systemClock, settleTimeoutMs = defaultSettleTimeoutMs } = options;
  const started = performance.now();
  for (;;) {
    const problem = await unsettled(kvstore, member);
    if (problem === undefined) return;
    if (performance.now() - started > settleTimeoutMs) {
      const message = `the cluster is not well after its defragmentation: ${problem}`;
      throw new KvstoreError('ERR_KVSTORE_QUORUM', describeMember(member), message);
    }
    await clock.sleep(settleEveryMs);
  }
}

async function unsettled(kvstore: Kvstore, member: Member): Promise<string | undefined> {
  try {
    const view = await inspect(kvstore);
    const each = view.members.find(({ member: { id } }) => id === member.id);
    if (each === undefined) return 'it was removed';
    if (!isHealthy(each)) return each.error?.message ?? 'it follows no leader';
    return obstaclesIn(view)[0];
  } catch (error) {
    if (isKvstoreError(error)) return error.message;
    throw error;
  }
}
