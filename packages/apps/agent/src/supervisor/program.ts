import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { keepRunning } from '@nodecore/runtime';
import { codeOf, ended } from '@nodecore/sys';
import { Backoff, type Clock, onAbort } from '@nodecore/waiting';

import type { Log } from '../log.ts';

export type ProgramOptions = {
  readonly clock: Clock;
  /** What the program may take to end when it is asked to. */
  readonly graceMs: number;
};

/** Ends a program: asks first, and kills it when it takes longer. Resolves when it is gone; twice is fine. */
export async function endProgram(child: ChildProcess, { clock, graceMs }: ProgramOptions): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill('SIGTERM');
  const gone = new AbortController();
  clock.sleep(graceMs, gone.signal).then(
    () => child.kill('SIGKILL'),
    () => {}, // ended in time
  );
  await ended(child);
  gone.abort();
}

export type KeptProgram = ProgramOptions & {
  readonly log: Log;
  /** Starts it anew; it should be tethered, so that a killed agent leaves none behind. */
  readonly start: () => ChildProcess;
};

/**
 * Keeps a program running until the signal fires, and ends it then. One that ends by itself, or is not there, is started again
 * after 1 s up to 30 s; after a minute of work the delays begin anew.
 */
export async function keepProgram(program: KeptProgram, signal: AbortSignal): Promise<void> {
  const { log, clock, start } = program;
  const once = async (ending: AbortSignal): Promise<void> => {
    const child = start();
    log.info({ pid: child.pid }, 'program started');
    const end = endOf(child);
    using _listener = onAbort(ending, () => void endProgram(child, program));
    const how = await end;
    if (!ending.aborted) log.warn({ end: how }, 'program ended by itself');
  };
  const backoff = new Backoff({ firstMs: 1000, largestMs: 30_000 });
  const failed = (err: unknown): void => {
    if (err !== undefined) log.error({ err }, 'program can not be started');
  };
  await keepRunning(once, { clock, backoff, signal, ended: failed });
}

/** @returns the exit code, the signal that ended it, or why it was not started. */
async function endOf(child: ChildProcess): Promise<number | string> {
  try {
    const [code, killed] = (await once(child, 'exit')) as [number | null, string | null];
    return code ?? String(killed);
  } catch (error) {
    return codeOf(error) ?? 'error';
  }
}
