import {
  planDefragmentation,
  type DefragmentationFacts,
  type DefragmentationPlan,
  type DefragmentationPolicy,
  type DefragmentationStep,
  type SkipReason,
} from './defragmentation-plan.ts';
import {
  defragmentMember,
  type DefragmentationResult,
  type StepOptions,
  type StepProgress,
} from './defragmentation-step.ts';
import { isKvstoreError, KvstoreError } from './errors.ts';
import { inspect, type ClusterView } from './inspect.ts';
import type { Kvstore } from './kvstore.ts';
import { MaintenanceLock } from './maintenance-lock.ts';
import { describeMember, type Member } from './members.ts';
import type { Stall } from './stall.ts';

export type PreviewOptions = DefragmentationPolicy & {
  /** What earlier ones took. */
  readonly history?: readonly Stall[] | undefined;
  /** Free space where a member has its file; undefined where it is unknown. */
  readonly readFreeDiskBytes?: ((member: Member) => Promise<bigint | undefined>) | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type DefragmentOptions = PreviewOptions &
  Omit<StepOptions, 'onProgress'> & {
    /** The holder of the turn, for the error of callers that find it taken. */
    readonly holder: string;
    readonly onProgress?: ((progress: DefragmentationProgress) => void) | undefined;
  };

export type DefragmentationProgress =
  | { readonly state: 'planned'; readonly plan: DefragmentationPlan }
  | StepProgress
  | { readonly state: 'done'; readonly result: DefragmentationResult };

export type DefragmentationReport = {
  readonly plan: DefragmentationPlan;
  readonly results: readonly DefragmentationResult[];
  /** Why it ended before all members were done; those that were not done by then were not touched. */
  readonly stopped: { readonly member: Member | undefined; readonly error: KvstoreError } | undefined;
};

/** What {@link defragment} would do now. Changes nothing. */
export async function previewDefragmentation(
  kvstore: Kvstore,
  options: PreviewOptions = {},
): Promise<DefragmentationPlan> {
  const view = await inspect(kvstore, { signal: options.signal });
  return planDefragmentation(view, await factsOf(view, options));
}

/**
 * Gives the free space in the members' files back to their disks, one member at a time and the leader last. A member
 * answers nothing while it is at it. Before and after each the whole cluster must be well and in step.
 *
 * An abort takes effect between members: one that has begun can't be stopped.
 *
 * @returns what was done; also when it had to stop, with the reason.
 * @throws {KvstoreError} `ERR_KVSTORE_LOCKED` while another holder does maintenance, `ERR_KVSTORE_REFUSED` when the cluster
 *   is not fit for it; or `signal.reason`.
 */
export async function defragment(
  kvstore: Kvstore,
  options: DefragmentOptions,
): Promise<DefragmentationReport> {
  const { holder, clock, signal } = options;
  const purpose = 'defragmentation';
  await using lock = await MaintenanceLock.acquire(kvstore, { holder, purpose, clock, signal });
  return await defragmentInTurn(kvstore, options, lock.lost);
}

/** {@link defragment} for a caller that has the turn already; the turn ends when `lost` fires. */
export async function defragmentInTurn(
  kvstore: Kvstore,
  options: DefragmentOptions,
  lost?: AbortSignal,
): Promise<DefragmentationReport> {
  const { onProgress = () => {}, signal } = options;
  const plan = await previewDefragmentation(kvstore, options);
  if (plan.steps.length > 0 && plan.obstacles.length > 0)
    throw new KvstoreError('ERR_KVSTORE_REFUSED', 'defragmentation', plan.obstacles.join('; '));
  onProgress({ state: 'planned', plan });
  const results: DefragmentationResult[] = [];
  const waiting = new Set(plan.steps.map(({ member }) => member.id));
  while (waiting.size > 0) {
    signal?.throwIfAborted();
    let step: DefragmentationStep | undefined;
    try {
      if (lost?.aborted === true) throw lost.reason;
      const now = await planOf(kvstore, options, waiting);
      [step] = now.steps;
      if (step === undefined) return { plan, results, stopped: whyStopped(now, waiting) };
      const result = await defragmentMember(kvstore, step, options);
      results.push(result);
      onProgress({ state: 'done', result });
      waiting.delete(step.member.id);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isKvstoreError(error)) throw error;
      return { plan, results, stopped: { member: step?.member, error } };
    }
  }
  return { plan, results, stopped: undefined };
}

/** The cluster may have changed since: another leader, a member that is down, one that was restarted and is small now. */
async function planOf(
  kvstore: Kvstore,
  options: PreviewOptions,
  waiting: ReadonlySet<bigint>,
): Promise<DefragmentationPlan> {
  const plan = await previewDefragmentation(kvstore, { ...options, memberIds: [...waiting] });
  if (plan.steps.length > 0 && plan.obstacles.length > 0)
    throw new KvstoreError('ERR_KVSTORE_REFUSED', 'defragmentation', plan.obstacles.join('; '));
  return plan;
}

/** A member that has nothing to give back any more needs no turn; one that can't have it is told. */
const unfit: ReadonlySet<SkipReason> = new Set<SkipReason>(['down', 'learner', 'disk-full']);

function whyStopped(
  { skipped }: DefragmentationPlan,
  waiting: ReadonlySet<bigint>,
): DefragmentationReport['stopped'] {
  const missed = skipped.find(({ member, reason }) => waiting.has(member.id) && unfit.has(reason));
  if (missed === undefined) return undefined;
  const { member, message } = missed;
  return { member, error: new KvstoreError('ERR_KVSTORE_REFUSED', describeMember(member), message) };
}

async function factsOf(view: ClusterView, options: PreviewOptions): Promise<DefragmentationFacts> {
  const { readFreeDiskBytes, ...facts } = options;
  const freeDiskBytes = new Map<bigint, bigint>();
  for (const { member } of view.members) {
    const free = await readFreeDiskBytes?.(member);
    if (free !== undefined) freeDiskBytes.set(member.id, free);
  }
  return { ...facts, freeDiskBytes };
}
