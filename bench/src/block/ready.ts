import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { agentEnvironment } from '@nodecore/testkit/agent-environment';

import { runProgram } from '../program.ts';

const agent = fileURLToPath(new URL('../../../packages/apps/agent/bin/nodecore-agent.js', import.meta.url));

/** Milliseconds that a new agent needs, from the moment at which its API answers, until it knows every disk. */
export async function agentReadyMs(directory: string): Promise<number> {
  const place = join(directory, 'ready');
  const argv = ['--state', join(place, 'state'), '--run-directory', join(place, 'run')];
  const child = spawn(process.execPath, [agent, ...argv, '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...agentEnvironment },
  });
  const ended = once(child, 'exit');
  let listening = Number.NaN;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('"msg":"listening"')) listening = performance.now();
      if (line.includes('"msg":"discovery is ready"')) return performance.now() - listening;
    }
    throw new Error('the agent ended before discovery was ready');
  } finally {
    child.kill();
    await ended;
  }
}

/** Milliseconds that the usual programs need for it. */
export async function programsReadyMs(nodes: readonly string[]): Promise<number> {
  const started = performance.now();
  JSON.parse(await runProgram(['lsblk', '--output-all', '--json', '--bytes']));
  await runProgram(['blkid', '--probe', '--output', 'export', ...nodes]);
  return performance.now() - started;
}
