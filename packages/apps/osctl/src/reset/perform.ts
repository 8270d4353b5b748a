import { ApiError } from '@nodecore/api';
import type { ResetRequestInit, ResetResponse } from '@nodecore/api/storage';
import type { Tell } from '@nodecore/cli';

import { notReset } from '../outcome.ts';
import { tellEvents } from '../lifecycle/tell-events.ts';
import { tellKernel } from '../lifecycle/tell-kernel.ts';
import type { Target } from '../nodes/target.ts';
import { followReset } from './follow-reset.ts';
import { lifeOf, waitForReset } from './wait-for-reset.ts';

/** A reset that was agreed to. */
export type ResetWork = {
  readonly target: Target;
  readonly request: ResetRequestInit;
  /** What was shown. */
  readonly plans: readonly ResetResponse[];
  readonly tell: Tell;
  readonly signal: AbortSignal;
  readonly debug: boolean;
};

/** What a node says that it would wipe, each told as it comes. */
export async function planned(
  plans: AsyncIterable<ResetResponse>,
  show: (plan: ResetResponse) => Promise<void> = async () => {},
): Promise<readonly ResetResponse[]> {
  const all: ResetResponse[] = [];
  for await (const plan of plans) {
    all.push(plan);
    await show(plan);
  }
  return all;
}

/** Resets a node and, where that is wanted, waits for its next life. @returns what became of it, in words. */
export async function perform(work: ResetWork, waits: boolean): Promise<string> {
  const { target, request, plans, tell, signal, debug } = work;
  const { client, node, name, endpoint } = target;
  const maintenance = plans.some((plan) => plan.name === 'STATE');
  // Whoever passes calls on to a node knows it by the certificate that it loses with STATE.
  const isSeen = waits && (!maintenance || endpoint !== undefined);
  const before = isSeen ? await lifeOf(target, { signal }) : undefined;
  const events = client.reset({ ...request, digest: plans.at(-1)?.digest ?? '' }, { node, signal });
  await using told = new AsyncDisposableStack();
  const begun = (actorId: string): void => {
    if (debug) told.use(tellEvents(target, { actorId, signal, tell, debug }));
  };
  if (debug) told.use(tellKernel(target, { signal, tell }));
  const isDone = await followReset(name, events, { tell, signal, begun });
  const after = request.reboot === true ? 'is reset, and reboots' : 'is reset';
  if (before === undefined) {
    if (!isDone) throw notReset(name, 'the connection was lost before it was done', 'ERR_RESET');
    return waits ? `${after}; it is not waited for, as calls are passed on to it` : after;
  }
  // What a crash has cut short is gone on with by the next run of the agent, which does not reboot.
  const reboots = request.reboot === true && isDone;
  await waitForReset(target, { before, reboots, maintenance, signal, tell, debug });
  if (maintenance) return 'is reset, and waits for a configuration: osctl apply-config --insecure';
  if (!isDone) await requireChange(work);
  return 'is reset, and is back';
}

/** A node that is back without having said that it was done may have begun anew before anything was wiped. */
async function requireChange({ target, request, plans, signal }: ResetWork): Promise<void> {
  const { client, node, name } = target;
  const isBare = plans.every(({ content }) => content === '');
  const now = await planned(client.reset({ ...request, dryRun: true }, { node, signal })).catch(
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'ERR_API_NOT_FOUND') return []; // nothing of it is left
      throw error;
    },
  );
  if (isBare || now.at(-1)?.digest !== plans.at(-1)?.digest) return;
  throw notReset(name, 'it has begun anew, and holds what it held', 'ERR_RESET');
}
