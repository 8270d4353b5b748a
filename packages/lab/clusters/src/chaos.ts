import {
  type Chaos,
  type Direction,
  directions,
  effectProblems,
  type Effects,
  hasEffects,
} from '@nodecore/lan';

import type { ClusterDirectory } from './directory.ts';
import { ClusterError } from './errors.ts';
import type { ClusterPlan, PlannedNode } from './plan.ts';
import { isClos } from './service-flags.ts';
import { changeState, type ClusterState, readState } from './state.ts';

/** What changes about the frames of machines. */
export type ChaosChange = {
  /** Default both. */
  readonly direction?: Direction;
  /** These become so, the others stay; null: none happens any more. */
  readonly effects: Effects | null;
};

type ChaosByName = Readonly<Record<string, Chaos>>;

/** What happens to the frames of a cluster's machines, by their names: as it was changed last, or as the request says. */
export async function chaosOf(directory: ClusterDirectory, plan: ClusterPlan): Promise<ChaosByName> {
  return chaosIn(await readState(directory), plan);
}

function chaosIn({ chaos }: Pick<ClusterState, 'chaos'>, plan: ClusterPlan): ChaosByName {
  const { chaos: wanted } = plan.request;
  if (chaos !== undefined || wanted === undefined) return chaos ?? {};
  return Object.fromEntries(plan.nodes.map(({ name }) => [name, { to: wanted, from: wanted }]));
}

/**
 * Stores a change.
 *
 * @returns what happens to all machines from now on.
 * @throws {ClusterError} `ERR_CLUSTER_REQUEST` with all that is impossible; nothing is changed.
 */
export async function changeChaos(
  directory: ClusterDirectory,
  plan: ClusterPlan,
  chosen: readonly PlannedNode[],
  { direction, effects }: ChaosChange,
): Promise<ChaosByName> {
  if (plan.lan === undefined) {
    const words = `${plan.request.name} has no network of its own: its machine is on QEMU's`;
    throw new ClusterError('ERR_CLUSTER_REQUEST', words);
  }
  if (isClos(plan.request)) {
    const words = `${plan.request.name} has no cable whose frames are changed: its machines have two each to a router`;
    throw new ClusterError('ERR_CLUSTER_REQUEST', words);
  }
  let chaos: Record<string, Chaos> = {};
  await changeState(directory, (state) => {
    chaos = { ...chaosIn(state, plan) };
    const problems: string[] = [];
    for (const { name } of chosen)
      for (const each of direction === undefined ? directions : [direction]) {
        const next = effects === null ? {} : { ...chaos[name]?.[each], ...effects };
        problems.push(...effectProblems(next).map((words) => `${each} ${name}: ${words}`));
        chaos[name] = { ...chaos[name], [each]: next };
      }
    if (problems.length > 0) throw new ClusterError('ERR_CLUSTER_REQUEST', problems.join('\n'));
    return { chaos };
  });
  return chaos;
}

/** What happens in a direction, in words; undefined when nothing does. */
export function effectWords(effects: Effects = {}): string | undefined {
  if (!hasEffects(effects)) return undefined;
  const { latencyMs, jitterMs, loss, corrupt, reorder, bandwidthKbit } = effects;
  return [
    latencyMs ? `${latencyMs} ms late${jitterMs ? ` (±${jitterMs})` : ''}` : '',
    share(loss, 'lost'),
    share(corrupt, 'corrupt'),
    share(reorder, 'out of order'),
    bandwidthKbit ? `at most ${bandwidthKbit} kbit/s` : '',
  ]
    .filter((words) => words !== '')
    .join(', ');
}

function share(value: number | undefined, what: string): string {
  return value ? `${Number((value * 100).toFixed(4))} % ${what}` : '';
}
