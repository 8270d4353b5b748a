import { printFound, readFormat, type Tell, type Terminal } from '@nodecore/cli';

import { notBack } from '../outcome.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { bootFacts, type BootFacts } from './boot-facts.ts';
import type { WaitFlags } from './flags.ts';
import { tellEvents } from './tell-events.ts';
import { tellKernel } from './tell-kernel.ts';
import { withProgress } from './progress.ts';
import { type BootWait, waitForBoot } from './wait-for-boot.ts';
import type { OffState } from './wait-for-off.ts';

/** One node on its way to another boot. */
export type NodeWork = {
  readonly target: Target;
  readonly tell: Tell;
  /** Fires when the time is over, or the user has enough. */
  readonly signal: AbortSignal;
  /** Waits for a boot that is none of those before. */
  readonly wait: BootWait | undefined;
  /** What the user is told who has enough: what goes on at the node without anybody waiting, and where to look. */
  readonly leaves: (line: string) => void;
};

/** What became of a node: words for people, the other fields for programs. */
export type NodeOutcome = {
  readonly words: string;
  /** asked: nobody waited for more; written and checked: as far as an upgrade was to go. */
  readonly state: 'asked' | 'back' | 'written' | 'checked' | OffState;
  /** What a node that is back serves. */
  readonly stage?: string;
  readonly version?: string;
  readonly entry?: string;
};

/** Does the same at all nodes at once, then prints what became of each. Nodes that fail do not hold back the others. */
export async function eachNode(
  flags: GlobalFlags & WaitFlags,
  terminal: Terminal,
  work: (node: NodeWork) => Promise<NodeOutcome>,
): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const names = targets.all.map(({ name }) => name);
  const limit = AbortSignal.timeout(flags.timeout);
  const signal = AbortSignal.any([terminal.signal, limit]);
  const debug = flags.debug === true;
  const { results, throwFailures } = await withProgress(flags, names, terminal, (tell) =>
    everyNode(targets.all, async (target) => {
      let left: string | undefined;
      try {
        const waits = flags.wait || debug;
        const before = waits ? await bootFacts(target, { signal }) : undefined;
        return await work({
          target,
          tell,
          signal,
          leaves: (line) => (left = line),
          wait: before && {
            before: before.bootId,
            wasUnbegun: before.stage === 'maintenance' || before.bootstrap !== 'none',
            signal,
            tell,
            debug,
          },
        });
      } catch (error) {
        if (left !== undefined && signal.aborted) tell(target.name, left);
        throw limit.aborted ? notBack(target.name, flags.timeout) : error;
      }
    }),
  );
  const outcomes = results.map(({ target, result: { words, ...facts } }) => {
    return { node: target.name, ...facts, message: words };
  });
  await printFound(terminal, format, outcomes, {
    single: false,
    text: () => outcomes.map(({ node, message }) => `${node}: ${message}\n`).join(''),
  });
  throwFailures();
}

/** Waits for the next boot, when that was asked for, and reports the outcome of its call. @returns what is to be said of it. */
export async function backAgain(
  work: NodeWork,
  { actorId, otherwise }: { readonly actorId: string; readonly otherwise: string },
): Promise<NodeOutcome> {
  const back = await withEvents(work, actorId, (wait) => waitForBoot(work.target, wait));
  if (back === undefined) return { words: otherwise, state: 'asked' };
  return { words: wordsOf(back), state: 'back', stage: back.stage };
}

function wordsOf({ stage, ready, unmet }: BootFacts): string {
  if (stage === 'maintenance') return 'is back, in maintenance';
  return ready ? 'is back and ready' : `is back (${unmet.join('; ')})`;
}

/** Waits for something, and reports meanwhile what the node says about the effects of a call. */
export async function withEvents<Result>(
  { target, tell, wait }: NodeWork,
  actorId: string,
  waiting: (wait: BootWait) => Promise<Result>,
): Promise<Result | undefined> {
  if (wait === undefined) return undefined;
  const { signal, debug } = wait;
  await using _events = tellEvents(target, { actorId, signal, tell, debug });
  await using _kernel = debug ? tellKernel(target, { signal, tell }) : undefined;
  return await waiting(wait);
}
