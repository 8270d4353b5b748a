import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { connect } from '@nodecore/api';
import { agentEnvironment } from '@nodecore/testkit/agent-environment';
import { agentProgram, prepareAgent } from '@nodecore/testkit/agent-program';
import { compileCache } from '@nodecore/testkit/compile-cache';

import { logged } from './agent.ts';
import { ask, type Bench, type Side } from './question.ts';

const sources = fileURLToPath(new URL('../../packages/apps/agent/bin/nodecore-agent.js', import.meta.url));

type Start = {
  /** From the start of the process until it has answered its first call. */
  readonly ms: number;
  /** What it answered. */
  readonly state: string;
};

/** How long an agent without a configuration takes until it answers: as one file, as nodes have it, and from the sources of a checkout. */
export const bench: Bench = {
  prepare: async () => {
    await prepareAgent();
    const side = (name: string, program: string): Side<string> => ({
      name,
      run: async () => (await start(program)).state,
      sample: async () => (await start(program)).ms,
    });
    // What V8 compiles in the first start is there for the next.
    await start(sources);
    await start(agentProgram);
    return [
      ask({
        name: 'agent-start',
        question:
          'How long does an agent without a configuration take until it answers, as one file and from sources?',
        gate: 0.6,
        rounds: 11,
        ours: side('one file', agentProgram),
        peer: side('sources', sources),
      }),
    ];
  },
};

/** Starts an agent, asks it once, and ends it. */
async function start(program: string): Promise<Start> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
  const argv = ['--state', join(directory, 'state'), '--run-directory', join(directory, 'run')];
  const env = { ...process.env, ...agentEnvironment, NODE_COMPILE_CACHE: compileCache };
  const began = performance.now();
  const child = spawn(process.execPath, [program, ...argv, '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const ended = once(child, 'exit');
  try {
    const lines = createInterface({ input: child.stdout });
    const port = Number(await logged(lines, 'listening', 'port'));
    lines.on('line', () => {}); // the log goes on
    using client = connect({ endpoint: `127.0.0.1:${port}`, insecure: true });
    const { version, maintenance } = await client.version();
    return { ms: performance.now() - began, state: `${version} ${maintenance}` };
  } finally {
    child.kill();
    await ended;
    await rm(directory, { recursive: true, force: true });
  }
}
