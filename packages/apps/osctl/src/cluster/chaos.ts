import { readFormat, type Terminal, UsageError } from '@nodecore/cli';
import { type ChaosChange, ClusterError, type EffectFlags, readEffects, setChaos } from '@nodecore/clusters';

import { cacheOf, directoryOf, type PlaceFlags } from './place.ts';
import { printCluster } from './show.ts';

/** The flags of `osctl cluster chaos`. */
export type ChaosFlags = PlaceFlags &
  EffectFlags & {
    readonly node?: readonly string[];
    readonly direction: 'to' | 'from' | 'both';
    readonly off?: true;
    readonly output: string;
  };

/** Changes what happens to frames of machines, and prints the cluster. */
export async function changeChaos(flags: ChaosFlags, terminal: Terminal): Promise<void> {
  await readFormat(flags.output); // before anything is changed
  const change = changeOf(flags);
  const { node: nodes } = flags;
  const options = { signal: terminal.signal, ...(nodes !== undefined && nodes.length > 0 && { nodes }) };
  try {
    await setChaos(directoryOf(flags, terminal), cacheOf(terminal), change, options);
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'ERR_CLUSTER_REQUEST')
      throw new UsageError(error.message.replaceAll('\n', '; '));
    throw error;
  }
  await printCluster(flags, terminal);
}

/** @throws {UsageError} with all that is wrong. */
function changeOf(flags: ChaosFlags): ChaosChange {
  const problems: string[] = [];
  const effects = readEffects(flags, '--', problems);
  const isEmpty = Object.keys(effects).length === 0;
  if (flags.off === true && !isEmpty) problems.push('--off: nothing happens then; leave the others out');
  if (flags.off !== true && isEmpty) problems.push('what is to happen? --latency, --packet-loss, … or --off');
  if (problems.length > 0) throw new UsageError(problems.join('; '));
  return {
    effects: flags.off === true ? null : effects,
    ...(flags.direction !== 'both' && { direction: flags.direction }),
  };
}
