import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { tethered } from '@nodecore/sys';

import { checkout } from '../paths.ts';
import type { AgentHome, HomeOptions } from './home.ts';

/** Runs the agent on this host: no system disk, its state in a directory, and no volume but those it is told of. */
export async function hostHome({ directory, port, inspectPort }: HomeOptions): Promise<AgentHome> {
  const state = join(directory, 'agent');
  await mkdir(state, { recursive: true, mode: 0o700 });
  const program = join(checkout, 'packages', 'apps', 'agent', 'bin', 'nodecore-agent.js');
  const inspect = inspectPort === undefined ? [] : [`--inspect=127.0.0.1:${inspectPort}`];
  const argv = [process.execPath, ...inspect, program, '--state', state, '--listen', `127.0.0.1:${port}`];
  return {
    startAgent: () => {
      const child = tethered([...argv, '--unmount-on-exit'], {
        cwd: checkout,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const { promise: exited, resolve, reject } = Promise.withResolvers<{ code: number }>();
      child.once('error', reject);
      child.once('exit', (code) => resolve({ code: code ?? 1 }));
      const { stdout, stderr } = child;
      if (stdout === null || stderr === null) throw new TypeError('the agent has no output');
      return { stdout, stderr, exited, kill: (signal) => void child.kill(signal) };
    },
    close: () => Promise.resolve(),
  };
}
