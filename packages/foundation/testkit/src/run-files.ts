import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { killExactly } from '@nodecore/sys';

import { endProcesses } from './process-tree.ts';
import { Silence } from './silence.ts';
import { TapReader, type TapResult } from './tap.ts';

export type RunOptions = {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Prints the result by default. */
  readonly onResult?: (result: TapResult) => void;
  /** The caller judges how the command ended. */
  readonly isQuiet?: boolean;
  /** Ends a command that has printed nothing for this long, in milliseconds; for ever without it. */
  readonly maxSilenceMs?: number;
};

export type Totals = { passed: number; failed: number; skipped: number };

/** How a command ended. */
export type Ending = Totals & {
  /** The exit code; null after a signal. */
  readonly code: number | null;
  /** Whether it was ended for its silence; `last` says what came before. */
  readonly wasSilent: boolean;
  /** The title of the last test that it reported. */
  readonly last: string | undefined;
};

/**
 * Runs a command that prints TAP, reports each result as it comes, and returns how many there were. One that is silent for
 * too long is ended with all its processes.
 */
export async function readTap(argv: readonly [string, ...string[]], options: RunOptions): Promise<Ending> {
  const { cwd, env, onResult = print, maxSilenceMs } = options;
  const [file, ...args] = argv;
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let last: string | undefined;
  const reader = new TapReader((result) => {
    last = result.title;
    totals[result.outcome] += 1;
    onResult(result);
  });
  const silence = maxSilenceMs === undefined ? undefined : new Silence(child, maxSilenceMs);
  // One of them may hold the pipe that is read here.
  child.once('exit', () => silence?.processes.forEach(killExactly));
  for await (const line of createInterface({ input: child.stdout })) {
    silence?.begin();
    reader.read(line);
  }
  silence?.end();
  reader.end();
  const [code] = (await ended) as [number | null];
  // A name of theirs may be needed by what comes next.
  const left = await endProcesses(silence?.processes ?? []);
  for (const { pid } of left) console.log(`  - process ${pid} does not end: it waits for the kernel`);
  return { ...totals, code, wasSilent: silence?.wasTooLong === true, last };
}

/**
 * Runs a command that prints TAP, and judges how it ended: silence for too long is a failure, and so is one that ends badly
 * without having named a failed test, or that runs no test at all.
 */
export async function runTap(argv: readonly [string, ...string[]], options: RunOptions): Promise<Totals> {
  const { onResult = print, isQuiet = false, maxSilenceMs = 0 } = options;
  const { code, wasSilent, last = 'the first test', ...totals } = await readTap(argv, options);
  if (wasSilent) {
    totals.failed += 1;
    const title = `${argv.join(' ')}: nothing for ${maxSilenceMs / 1000} s after ${last}`;
    onResult({ outcome: 'failed', title, detail: [] });
  }
  const ran = totals.passed + totals.failed + totals.skipped;
  if (!isQuiet && ((code !== 0 && totals.failed === 0) || ran === 0)) {
    totals.failed += 1;
    const title = `${argv.join(' ')}: ended with ${code ?? 'a signal'} after ${ran} tests`;
    onResult({ outcome: 'failed', title, detail: [] });
  }
  return totals;
}

/** An assertion over a whole file would bury the tests around it. */
const maxDetail = 80;

/** Prints a failed or skipped test; one that passed with `NODECORE_VERBOSE` only. */
export function print(result: TapResult): void {
  if (result.outcome === 'passed') {
    if (process.env['NODECORE_VERBOSE'] !== undefined) console.log(`  ✔ ${result.title}`);
    return;
  }
  console.log(`  ${result.outcome === 'failed' ? '✘' : '-'} ${result.title}`);
  for (const line of result.detail.slice(0, maxDetail)) console.log(`    ${line}`);
  const more = result.detail.length - maxDetail;
  if (more > 0) console.log(`    … ${more} more lines`);
}
