import { type Terminal, UsageError } from '@nodecore/cli';
import type { GlobalFlags } from '../flags.ts';
import { failureOf } from './every-node.ts';
import { Targets, type Target } from './target.ts';

/** The one node that a command is for; what it does makes no sense on several at once. */
export async function onlyNode<Result>(
  flags: GlobalFlags,
  terminal: Terminal,
  ask: (target: Target) => Promise<Result>,
): Promise<Result> {
  await using targets = await Targets.open(flags, terminal);
  const [target, ...others] = targets.all;
  if (target === undefined || others.length > 0)
    throw new UsageError(`this is for one node, and there are ${targets.all.length}; name it with -n <node>`);
  try {
    return await ask(target);
  } catch (error) {
    throw failureOf({ node: target.name, error, direct: target.direct });
  }
}
