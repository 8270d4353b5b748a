import { execFile } from 'node:child_process';
import { join } from 'node:path';

import type { ClusterDirectory } from '@nodecore/clusters';
import { consoleTail } from '@nodecore/machine';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { checkout } from '../src/paths.ts';
import { virtualDirectory } from '../src/node/virtual-node.ts';

export type CommandResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** `npm start`, `npm stop` and osctl, for a node of the test's own and a user with an empty home. */
export type NodeCommands = {
  readonly state: string;
  /** The virtual node's. */
  readonly cluster: ClusterDirectory;
  readonly home: string;
  start(...flags: readonly string[]): Promise<CommandResult>;
  stop(): Promise<CommandResult>;
  osctl(...argv: readonly string[]): Promise<CommandResult>;
};

const commands = join(checkout, 'hw-tests', 'src', 'commands');

/** The node is stopped, and the reason of a failure shown, when the test is over. */
export async function nodeCommands(t: ExecutionContext): Promise<NodeCommands> {
  const state = await temporaryDirectory(t);
  const home = await temporaryDirectory(t);
  const run = (...argv: readonly string[]): Promise<CommandResult> =>
    new Promise((resolve) => {
      const env = { ...process.env, HOME: home, OSCONFIG: '', OS_HOME: '' };
      const args = ['--conditions=source', ...argv];
      execFile(process.execPath, args, { env, cwd: checkout }, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
        resolve({ code, stdout, stderr });
      });
    });
  const stop = (): Promise<CommandResult> => run(join(commands, 'stop.ts'), '--state', state);
  const cluster = virtualDirectory(state);
  t.teardown(async () => {
    if (!t.passed) t.log(await consoleTail(cluster.node({ index: 1 })));
    await stop();
  });
  return {
    state,
    cluster,
    home,
    stop,
    start: (...flags) => run(join(commands, 'start.ts'), '--state', state, ...flags),
    osctl: (...argv) => run(join(checkout, 'packages', 'apps', 'osctl', 'bin', 'osctl.js'), ...argv),
  };
}
