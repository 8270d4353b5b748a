import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { bundleClient } from '@nodecore/release';

import { type BenchAgent, startAgent } from './agent.ts';
import { limit } from './limit.ts';
import { ask, type Bench, type Question } from './question.ts';

const sources = fileURLToPath(new URL('../../packages/apps/osctl/bin/osctl.js', import.meta.url));
const rounds = 11;

type Run = (program: string, words: readonly string[]) => Promise<string>;

/** How long a user waits for osctl: as the one file that a release carries, and from the sources of a checkout. */
export const bench: Bench = {
  prepare: async (stack) => {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const agent = await startAgent(stack, directory);
    const file = join(directory, 'osctl');
    await writeFile(file, await bundleClient());
    const env = { ...process.env, OSCONFIG: await writeOsconfig(agent, directory), NODE_OPTIONS: '' };
    const run: Run = async (program, words) =>
      (await promisify(execFile)(execPath, [program, ...words], { env })).stdout;
    await run(sources, ['get', 'disks']); // from now on V8 finds what it has compiled
    return [
      ...questions(run, file, { name: 'version', words: ['version', '--client'], budget: 150 }),
      ...questions(run, file, { name: 'disks', words: ['get', 'disks'], budget: 250 }),
    ];
  },
};

type Command = { readonly name: string; readonly words: readonly string[]; readonly budget: number };

function questions(run: Run, file: string, { name, words, budget }: Command): Question[] {
  const command = `osctl ${words.join(' ')}`;
  const sample = async (): Promise<number> => {
    const began = performance.now();
    await run(file, words);
    return performance.now() - began;
  };
  return [
    ask({
      name: `osctl-start-${name}`,
      question: `How long does ${command} take as one file, and from sources?`,
      gate: 1,
      rounds,
      ours: { name: 'one file', run: () => run(file, words) },
      peer: { name: 'sources', run: () => run(sources, words) },
    }),
    limit({
      name: `osctl-start-${name}-budget`,
      question: `How long does ${command} take as one file?`,
      ours: 'one file',
      budget,
      rounds,
      sample,
    }),
  ];
}

/** Of somebody who may read, and nothing else. @returns its path. */
async function writeOsconfig({ ca, endpoint }: BenchAgent, directory: string): Promise<string> {
  const path = join(directory, 'osconfig');
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:reader'] });
  const config = Osconfig.empty(path);
  config.set('bench', { endpoints: [endpoint], ca: ca.crt, crt, key });
  config.use('bench');
  await writeFile(path, config.encode(), { mode: 0o600 });
  return path;
}
