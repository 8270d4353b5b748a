import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * Where test processes keep what Node has compiled, for the whole run, the next one, and the rig's machines: an emulated
 * processor takes twenty times as long for it.
 */
export const compileCache: string = join(checkout, '.cache', 'rig', 'compile-cache');

/**
 * Has this machine compile the agent, in a second or two: agents that are killed or lose their machine keep nothing of what they
 * have compiled, and one that ends by itself does. An emulated processor with the same instructions finds it all, and starts
 * the agent in two thirds of the time.
 */
export async function compileAgent(): Promise<void> {
  const argv = [join(checkout, 'packages', 'apps', 'agent', 'bin', 'nodecore-agent.js'), '--help'];
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  await once(spawn(execPath, argv, { env, stdio: 'ignore' }), 'close');
}

/**
 * Has this machine compile what test files load, in a second, for a machine in which they run: no test is called so, and none runs.
 * A file that can not be loaded says so in there.
 */
export async function compileTests(files: readonly string[]): Promise<void> {
  const argv = ['node_modules/ava/entrypoints/cli.js', '--concurrency', '1', '--match', 'no test', ...files];
  const { NODECORE_TEST_NOTES: _, ...env } = process.env;
  const options = {
    cwd: checkout,
    env: { ...env, NODE_COMPILE_CACHE: compileCache },
    stdio: 'ignore',
  } as const;
  await once(spawn(execPath, argv, options), 'close');
}
