import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { tethered } from '@nodecore/sys';
import { agentEnvironment } from '@nodecore/testkit/agent-environment';

import { checkout } from '../paths.ts';

/** One run of the agent's process. */
export type AgentProcess = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<{ readonly code: number }>;
  kill(signal: NodeJS.Signals): void;
};

/** How the agent on this host is started. */
export type HostAgentOptions = {
  readonly directory: string;
  /** Of the API on 127.0.0.1. */
  readonly port: number;
  /** Where a debugger of the agent is attached, on 127.0.0.1. */
  readonly inspectPort?: number;
};

/** Starts the agent on this host: no system disk, its state in a directory, and no volume but those it is told of. */
export async function startAgent({ directory, port, inspectPort }: HostAgentOptions): Promise<AgentProcess> {
  const state = join(directory, 'agent');
  await mkdir(state, { recursive: true, mode: 0o700 });
  const program = join(checkout, 'packages', 'apps', 'agent', 'bin', 'nodecore-agent.js');
  const inspect = inspectPort === undefined ? [] : [`--inspect=127.0.0.1:${inspectPort}`];
  const argv = [process.execPath, ...inspect, program, '--state', state, '--listen', `127.0.0.1:${port}`];
  const child = tethered([...argv, '--unmount-on-exit'], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...agentEnvironment },
  });
  const { promise: exited, resolve, reject } = Promise.withResolvers<{ code: number }>();
  child.once('error', reject);
  child.once('exit', (code) => resolve({ code: code ?? 1 }));
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new TypeError('the agent has no output');
  return { stdout, stderr, exited, kill: (signal) => void child.kill(signal) };
}
