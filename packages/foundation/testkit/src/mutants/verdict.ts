import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';

import { compileCache } from '../compile-cache.ts';
import type { MutantOrder } from './hook.ts';
import { mutate, type PlacedMutant } from './mutant.ts';

const hook = new URL('hook.ts', import.meta.url).href;
/** Longer than any test that guards a line; a mutant that loops for ever is caught by it. */
const limitMs = 300_000;

/** `caught`, or why not. */
export async function verdictOn(checkout: string, mutant: PlacedMutant): Promise<string> {
  const path = join(checkout, mutant.directory, mutant.file);
  try {
    mutate(readFileSync(path, 'utf8'), mutant);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-mutant-'));
  try {
    const mark = join(directory, 'loaded');
    await writeFile(mark, '');
    // Some tests start programs that are nobody.
    await chmod(directory, 0o711);
    await chmod(mark, 0o666);
    const order: MutantOrder = { mutant, path, mark };
    const tests = mutant.caughtBy.map((test) => join(mutant.directory, test));
    const outcome = await runTests(checkout, tests, {
      NODECORE_MUTANT: JSON.stringify(order),
      NODE_OPTIONS: `--import=${hook}`,
    });
    if ((await stat(mark)).size === 0) return 'no test loads the file';
    return outcome === 'failed' ? 'caught' : 'every test passes';
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Runs test files as the test command does, until the first failure. */
export async function runTests(
  checkout: string,
  tests: readonly string[],
  extra: NodeJS.ProcessEnv = {},
): Promise<'passed' | 'failed'> {
  const env = { ...process.env, NODECORE_NEEDS: 'required', NODE_COMPILE_CACHE: compileCache, ...extra };
  const argv = [
    'node_modules/ava/entrypoints/cli.js',
    '--tap',
    '--fail-fast',
    '--concurrency',
    '1',
    ...tests,
  ];
  const child = spawn(execPath, argv, { cwd: checkout, env, stdio: 'ignore', timeout: limitMs });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? 'passed' : 'failed';
}
