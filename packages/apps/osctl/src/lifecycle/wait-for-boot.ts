import { ApiError } from '@nodecore/api';
import type { Tell } from '@nodecore/cli';
import { type Clock, systemClock } from '@nodecore/waiting';

import { errorLines } from '../error-lines.ts';
import type { Target } from '../nodes/target.ts';
import { bootFacts, type BootFacts } from './boot-facts.ts';

export type BootWait = {
  /** The boot that is to be over. */
  readonly before: string;
  /** Nobody had begun the kvstore of the node then, either: it is not asked for. */
  readonly wasUnbegun?: boolean;
  readonly signal: AbortSignal;
  readonly tell: Tell;
  /** Tell of every attempt what came of it. */
  readonly debug: boolean;
  readonly clock?: Clock;
};

/** Between two looks at a node. */
export const pauseMs = 1000;
const attemptMs = 5000;

/** Resolves when another boot of the machine is ready, or as far as the one before was. @throws the signal's reason when it fires first. */
export async function waitForBoot(target: Target, options: BootWait): Promise<BootFacts> {
  const { before, wasUnbegun = false, signal, tell, debug, clock = systemClock } = options;
  let told = '';
  const say = (line: string, always = true): void => {
    if ((always || debug) && line !== told) tell(target.name, line);
    if (always || debug) told = line;
  };
  for (;;) {
    const facts = await answerOf((limit) => bootFacts(target, { signal: limit }), signal, isDenied);
    if (typeof facts === 'string') {
      say('waits for the node');
      if (debug) tell(target.name, facts);
    } else if (facts.bootId === before) say('ends', false);
    else {
      const isUp = facts.ready || (wasUnbegun && facts.bootstrap === 'only');
      if (isUp && (facts.stage === 'running' || facts.stage === 'maintenance')) return facts;
      say([`is ${facts.stage}`, ...facts.unmet].join('; '));
    }
    await clock.sleep(pauseMs, signal);
  }
}

/** @returns why the node does not answer, when it does not. @throws the signal's reason when it fires first. */
export async function factsOf(target: Target, signal: AbortSignal): Promise<BootFacts | string> {
  return await answerOf((limit) => bootFacts(target, { signal: limit }), signal);
}

/**
 * One attempt, which takes 5 s at most.
 *
 * @param ends whether a failure is an answer that trying again does not change; that one is thrown.
 * @returns the answer, or why there is none.
 * @throws the signal's reason when it fires first.
 */
export async function answerOf<Answer extends object>(
  ask: (limit: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
  ends: (error: unknown) => boolean = isFinal,
): Promise<Answer | string> {
  signal.throwIfAborted();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]);
  try {
    return await ask(limit);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TypeError || ends(error)) throw error;
    return limit.aborted ? 'no answer' : (errorLines(error)[0] ?? '');
  }
}

/** A fleet does not know a machine that is between two boots, as it says of one that it never knew: this one it did know. */
function isDenied(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'ERR_API_DENIED';
}

/** The node answers, and will not answer otherwise. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && ['ERR_API_DENIED', 'ERR_API_NOT_FOUND'].includes(error.code);
}
