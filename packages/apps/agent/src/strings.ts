import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Secret } from '@nodecore/sys';

import type { Log } from './log.ts';

type Collect = (options: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'regular';
}) => void;

/** Long enough for callers to drop the text, and for several configurations to share one collection. */
const delayMs = 500;
/** A loop that is busy has answers to send first, and gets so many delays for them. */
const maxDelays = 20;
const busy = 0.5;
/** What one finds dead may have kept something else: one leaves a configuration in memory, two do not, and one is to spare. */
const collections = 3;
/** Between them, for what has come meanwhile. */
const turnMs = 50;

let collect: Collect | undefined;
let isDue = false;

/** From now on V8 overwrites what it has collected, and {@link dropStrings} works. For the whole process, until it ends. */
export function overwriteCollected(): void {
  setFlagsFromString('--clear-free-memory');
  setFlagsFromString('--expose-gc');
  collect = runInNewContext('gc') as Collect;
}

/**
 * Overwrites, soon, the strings that nothing refers to any more. A YAML parser needs a configuration as a string, passphrases
 * included, and makes others of it; V8 would leave them where they are until it needs the room. The loop stands still
 * for a tenth of a second for each collection, and turns in between. Does nothing before {@link overwriteCollected}.
 */
export function dropStrings(log: Log): void {
  if (collect === undefined || isDue) return;
  isDue = true;
  whenIdle(() => {
    isDue = false;
    collectInTurns(collections, 0, (longestMs) => {
      Secret.wipeTraces();
      log.debug({ longestMs: Math.round(longestMs) }, 'texts overwritten');
    });
  });
}

/** Calls back when the loop was idle for half of a delay, or after {@link maxDelays}. */
function whenIdle(done: () => void, delays = 1): void {
  const since = performance.eventLoopUtilization();
  const timer = setTimeout(() => {
    const isBusy = performance.eventLoopUtilization(since).utilization > busy;
    if (isBusy && delays < maxDelays) whenIdle(done, delays + 1);
    else done();
  }, delayMs);
  timer.unref();
}

/** V8's own last resort does as much, up to seven times, and holds the loop until it has. */
function collectInTurns(left: number, longestMs: number, done: (longestMs: number) => void): void {
  const started = performance.now();
  collectAll(collect);
  const longest = Math.max(longestMs, performance.now() - started);
  if (left === 1) done(longest);
  else setTimeout(() => collectInTurns(left - 1, longest, done), turnMs).unref();
}

/**
 * What lives moves to other pages, and all of the old ones go back to the kernel: what died before stays in them, because V8
 * overwrites only what it finds dead when it sweeps.
 */
function collectAll(collect: Collect | undefined): void {
  setFlagsFromString('--compact-on-every-full-gc');
  setFlagsFromString('--no-page-promotion'); // a page that keeps its place keeps what is dead in it
  try {
    collect?.({ type: 'major', execution: 'sync', flavor: 'regular' });
  } finally {
    setFlagsFromString('--page-promotion');
    setFlagsFromString('--no-compact-on-every-full-gc');
  }
}
