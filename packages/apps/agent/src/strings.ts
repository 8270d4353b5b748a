import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Secret } from '@nodecore/sys';

import type { Log } from './log.ts';

type Collect = (options: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'last-resort';
}) => void;

/** Long enough for callers to drop the text, and for several configurations to share one collection. */
const delayMs = 500;
/** A loop that is busy has answers to send first, and gets so many delays for them. */
const maxDelays = 20;
const busy = 0.5;

let collect: Collect | undefined;
let isDue = false;
let holders = 0;

/** From now on V8 overwrites what it has collected, and {@link dropStrings} works. For the whole process, until it ends. */
export function overwriteCollected(): void {
  setFlagsFromString('--clear-free-memory');
  setFlagsFromString('--expose-gc');
  collect = runInNewContext('gc') as Collect;
}

/**
 * Until it is disposed of nothing is overwritten: the texts are in use, and a collection meanwhile, which lets the loop stand still,
 * would have to be done again.
 */
export function holdStrings(): Disposable {
  holders += 1;
  return {
    [Symbol.dispose]: () => {
      holders -= 1;
    },
  };
}

/**
 * Overwrites, soon, the strings that nothing refers to any more. A YAML parser needs a configuration as a string, passphrases
 * included, and makes others of it; V8 would leave them where they are until it needs the room. The loop stands still
 * meanwhile: V8 collects everything two to seven times, each a tenth of a second, or a second in all where others use the
 * processors. Fewer collections, in turns of their own, leave some of it now and then. Does nothing before
 * {@link overwriteCollected}.
 */
export function dropStrings(log: Log): void {
  if (collect === undefined || isDue) return;
  isDue = true;
  whenIdle(() => {
    isDue = false;
    const started = performance.now();
    collectAll(collect);
    Secret.wipeTraces();
    log.debug({ durationMs: Math.round(performance.now() - started) }, 'texts overwritten');
  });
}

/** Calls back when the loop was idle for half of a delay, or after {@link maxDelays}; never while somebody holds the texts. */
function whenIdle(done: () => void, delays = 1): void {
  const since = performance.eventLoopUtilization();
  const timer = setTimeout(() => {
    const isBusy = performance.eventLoopUtilization(since).utilization > busy;
    if (holders > 0) whenIdle(done);
    else if (isBusy && delays < maxDelays) whenIdle(done, delays + 1);
    else done();
  }, delayMs);
  timer.unref();
}

/**
 * What lives moves to other pages, and all of the old ones go back to the kernel: what died before stays in them, because V8
 * overwrites only what it finds dead when it sweeps.
 */
function collectAll(collect: Collect | undefined): void {
  setFlagsFromString('--compact-on-every-full-gc');
  setFlagsFromString('--no-page-promotion'); // a page that keeps its place keeps what is dead in it
  try {
    collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  } finally {
    setFlagsFromString('--page-promotion');
    setFlagsFromString('--no-compact-on-every-full-gc');
  }
}
