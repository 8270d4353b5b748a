import { hostname } from 'node:os';

import {
  defragment,
  type DefragmentationPlan,
  type DefragmentationResult,
  type DefragmentationStep,
  freeDiskBytes,
  type Member as ClusterMember,
  previewDefragmentation,
  status,
} from '@nodecore/kvstore';
import { readIoPressure } from '@nodecore/trim';
import { Latest } from '@nodecore/waiting';

import type { DataDirectory } from './data-directory.ts';
import type { Member } from './member.ts';

export type DefragmentationOptions = {
  readonly dryRun: boolean;
  /** Also when little would be given back. */
  readonly force: boolean;
  /** The share of time, 0 to 1, in which tasks of this node wait for I/O; undefined where the kernel does not say. */
  readonly readPressure: () => Promise<number | undefined>;
  readonly signal: AbortSignal;
};

/** What becomes of this node's member. The last one is `planned` in a dry run, `done` or `skipped`. */
export type DefragmentationEvent =
  | {
      readonly state: 'planned';
      readonly step: DefragmentationStep;
      readonly obstacles: readonly string[];
    }
  | { readonly state: 'skipped'; readonly memberId: bigint; readonly message: string }
  | { readonly state: 'waiting'; readonly memberId: bigint; readonly pressure: number }
  | {
      readonly state: 'running';
      readonly memberId: bigint;
      readonly elapsedMs: number;
      readonly estimatedMs: number;
    }
  | { readonly state: 'settling'; readonly memberId: bigint }
  | { readonly state: 'done'; readonly result: DefragmentationResult };

/**
 * Gives the free space in this node's own database back to its disk, when that pays, the cluster is well, and its disk has a
 * moment. Yields what is going on; a slow reader gets only the newest.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_REFUSED`, `ERR_KVSTORE_LOCKED`
 */
export async function* defragmentOwn(
  member: Member,
  options: DefragmentationOptions,
): AsyncGenerator<DefragmentationEvent, void, undefined> {
  const { dryRun, force, signal } = options;
  const { kvstore } = member;
  const directory = await member.directory();
  const { memberId } = await status(kvstore, kvstore.endpoints[0] ?? '', { signal });
  const limits = {
    memberIds: [memberId],
    ...(force && { minFreeRatio: 0, minFreeBytes: 0n }),
    history: await directory.stalls(),
    readFreeDiskBytes: freeBytesOf(directory, memberId),
    signal,
  };
  if (dryRun) {
    const plan = await previewDefragmentation(kvstore, limits);
    yield firstOf(plan, memberId);
    return;
  }
  const events = new Latest<DefragmentationEvent | undefined>();
  const work = member
    .whileBusy(() =>
      defragment(kvstore, {
        ...limits,
        holder: hostname(),
        readPressure: () => options.readPressure(),
        onProgress: (progress) => {
          const event = eventOf(progress, memberId);
          if (event !== undefined) events.set(event);
        },
      }),
    )
    .finally(() => events.set(undefined));
  work.catch(() => {}); // thrown below, when everything was told
  for await (const event of events) {
    if (event === undefined) break;
    if (event.state !== 'done') yield event;
  }
  const { plan, results, stopped } = await work;
  if (stopped !== undefined) throw stopped.error;
  const [result] = results;
  if (result === undefined) {
    yield firstOf(plan, memberId);
    return;
  }
  await directory.rememberStall(result.stall);
  yield { state: 'done', result };
}

type Progress = Parameters<NonNullable<Parameters<typeof defragment>[1]['onProgress']>>[0];

function eventOf(progress: Progress, memberId: bigint): DefragmentationEvent | undefined {
  switch (progress.state) {
    case 'planned':
      return undefined; // whether it comes to that is told by what follows
    case 'waiting':
      return { state: 'waiting', memberId, pressure: progress.pressure };
    case 'running': {
      const { elapsedMs, estimatedMs } = progress;
      return { state: 'running', memberId, elapsedMs, estimatedMs };
    }
    case 'settling':
      return { state: 'settling', memberId };
    case 'done':
  }
  return { state: 'done', result: progress.result };
}

function firstOf({ steps, skipped, obstacles }: DefragmentationPlan, memberId: bigint): DefragmentationEvent {
  const [step] = steps;
  if (step !== undefined) return { state: 'planned', step, obstacles };
  const why = skipped.find(({ member }) => member.id === memberId);
  return { state: 'skipped', memberId, message: why?.message ?? 'it is not in the cluster' };
}

/** Of the whole machine: its disk may be shared with other programs. */
export async function readPressure(): Promise<number | undefined> {
  return (await readIoPressure())?.recent;
}

/** Of the disk that holds this node's own member, which is all that it can look at. */
export function freeBytesOf(
  directory: DataDirectory,
  memberId: bigint,
): (member: ClusterMember) => Promise<bigint | undefined> {
  return async ({ id }) => (id === memberId ? await freeDiskBytes(directory.data) : undefined);
}
