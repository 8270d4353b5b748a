import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { Silence } from './silence.ts';
import { TapReader, type TapResult } from './tap.ts';

export type RunOptions = {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Prints the result by default. */
  readonly onResult?: (result: TapResult) => void;
  /** Hears of each test as it ends. */
  readonly onTitle?: (title: string) => void;
  /** The caller judges how the command ended. */
  readonly isQuiet?: boolean;
  /** Ends a command that has printed nothing for this long, in milliseconds; for ever without it. */
  readonly maxSilenceMs?: number;
};

export type Totals = { passed: number; failed: number; skipped: number };

/**
 * Runs a command that prints TAP, reports each result as it comes, and returns how many there were. A command that ends
 * badly without having named a failed test, or that runs no test at all, counts as one failure: silence is not success.
 */
export async function runTap(argv: readonly [string, ...string[]], options: RunOptions): Promise<Totals> {
  const { cwd, env, onResult = print, onTitle, isQuiet = false, maxSilenceMs } = options;
  const [file, ...args] = argv;
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let last = 'the first test';
  const reader = new TapReader((result) => {
    last = result.title;
    totals[result.outcome] += 1;
    onResult(result);
    onTitle?.(result.title);
  });
  const silence = maxSilenceMs === undefined ? undefined : new Silence(child, maxSilenceMs);
  for await (const line of createInterface({ input: child.stdout })) {
    silence?.begin();
    reader.read(line);
  }
  silence?.end();
  reader.end();
  const [code] = (await ended) as [number | null];
  if (silence?.wasTooLong === true) {
    totals.failed += 1;
    const title = `${argv.join(' ')}: nothing for ${(maxSilenceMs ?? 0) / 1000} s after ${last}`;
    onResult({ outcome: 'failed', title, detail: [] });
  }
  const ran = totals.passed + totals.failed + totals.skipped;
  if (!isQuiet && ((code !== 0 && totals.failed === 0) || ran === 0)) {
    totals.failed += 1;
    console.log(`  ✘ ${argv.join(' ')}: ended with ${code ?? 'a signal'} after ${ran} tests`);
  }
  return totals;
}

/** Prints a failed or skipped test; one that passed with `NODECORE_VERBOSE` only. */
export function print(result: TapResult): void {
  if (result.outcome === 'passed') {
    if (process.env['NODECORE_VERBOSE'] !== undefined) console.log(`  ✔ ${result.title}`);
    return;
  }
  console.log(`  ${result.outcome === 'failed' ? '✘' : '-'} ${result.title}`);
  for (const line of result.detail) console.log(`    ${line}`);
}
