import { ApiError, runChecks, type Verdict } from '@nodecore/api';
import type { KvstoreMember } from '@nodecore/api/kvstore';

import { errorLines } from '../error-lines.ts';
import type { Target } from '../nodes/target.ts';
import type { HealthFlags } from './flags.ts';
import type { Look } from './look.ts';
import type { HealthRow, NodeHealth } from './node-health.ts';

const ok: Verdict = { state: 'ok', reason: '' };

/** What an orchestrator would be asked. */
const ofOrchestrator = [
  'kubelet',
  'orchestrator nodes registered',
  'control plane components',
  'orchestrator nodes ready',
] as const;

type View = {
  readonly target: Target;
  readonly memberId: bigint;
  readonly members: readonly KvstoreMember[];
};

/** Looks once at what no node can judge by itself: whether the members of the kvstore agree, and are the control planes. */
export async function clusterHealth(
  nodes: readonly NodeHealth[],
  flags: HealthFlags,
  look: Look,
): Promise<readonly HealthRow[]> {
  const planes = nodes.filter((node) => node.isControlPlane && isMember(node));
  const views = Promise.all(planes.map(({ target }) => viewOf(target, look)));
  const judged = (judge: (views: readonly View[]) => Verdict) => async (): Promise<Verdict> => {
    if (planes.length === 0) return skipped('no node that was asked is a running member of the kvstore');
    try {
      return judge(await views);
    } catch (error) {
      look.signal.throwIfAborted();
      if (error instanceof ApiError) return failed(errorLines(error)[0] ?? error.message);
      throw error;
    }
  };
  const isComplete = flags.controlPlaneNodes !== undefined || planes.length > 1;
  const results = await runChecks({
    'kvstore members agree': judged(agree),
    'kvstore members are control planes': judged((all) => belong(all, isComplete)),
    ...Object.fromEntries(orchestratorChecks(flags).map((name) => [name, noOrchestrator])),
  });
  return results.map((result) => ({ node: '', ...result }));
}

function orchestratorChecks({ runE2e }: HealthFlags): readonly string[] {
  return runE2e === true ? [...ofOrchestrator, 'e2e tests'] : ofOrchestrator;
}

async function noOrchestrator(): Promise<Verdict> {
  return skipped('no orchestrator');
}

/** One that does not run says so in its own row. */
function isMember({ rows }: NodeHealth): boolean {
  return rows.some(({ check, state }) => check === 'kvstore' && state === 'ok');
}

async function viewOf(target: Target, look: Look): Promise<View> {
  const options = look.options(target);
  const [{ members }, { memberId }] = await Promise.all([
    target.client.kvstore.members(options),
    target.client.kvstore.status(options),
  ]);
  return { target, memberId, members };
}

function agree(views: readonly View[]): Verdict {
  const [first, ...others] = views.map(({ target, members }) => ({
    name: target.name,
    list: listOf(members),
  }));
  const different = others.filter(({ list }) => list !== first?.list);
  if (first === undefined || different.length === 0) return ok;
  return failed(
    [first, ...different].map(({ name, list }) => `${name} sees ${list === '' ? 'none' : list}`).join('; '),
  );
}

function listOf(members: readonly KvstoreMember[]): string {
  return members
    .map((member) => nameOf(member))
    .toSorted()
    .join(', ');
}

function belong(views: readonly View[], isComplete: boolean): Verdict {
  const asked = new Set(views.map(({ memberId }) => memberId));
  const all = new Map(views.flatMap(({ members }) => members.map((member) => [member.id, member])));
  const strangers = [...all.values()].filter(({ id }) => !asked.has(id)).map(nameOf);
  if (strangers.length === 0) return ok;
  if (!isComplete)
    return skipped(
      `of ${all.size} members one was asked: name all control planes with --control-plane-nodes`,
    );
  return failed(`of no control plane that was asked: ${strangers.toSorted().join(', ')}`);
}

function nameOf({ hostname, id }: KvstoreMember): string {
  return hostname === '' ? id.toString(16) : `${hostname} (${id.toString(16)})`;
}

function failed(reason: string): Verdict {
  return { state: 'failed', reason };
}

function skipped(reason: string): Verdict {
  return { state: 'skipped', reason };
}
