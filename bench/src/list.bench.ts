import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Client } from '@nodecore/api';

import { startAgent } from './agent.ts';
import { ask, type Bench } from './question.ts';

const run = promisify(execFile);
const [directories, filesEach] = [1000, 1000];

/** What both sides must agree on. */
type Found = { readonly names: number; readonly nameBytes: number };

export const bench: Bench = {
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-list-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const { reader } = await startAgent(stack, directory);
    const root = join(directory, 'tree');
    await mkdir(root);
    const program = `for d in $(seq ${directories}); do mkdir $d && (cd $d && touch $(seq ${filesEach})); done`;
    await run('bash', ['-c', program], { cwd: root });
    return [
      ask({
        name: 'list',
        question:
          'How long does it take to list 1 000 000 files of a node, over TLS and with every name decoded?',
        gate: 2.5,
        rounds: 7,
        ours: { name: 'client.files.list', run: () => listed(reader, root) },
        peer: { name: "find -printf '%P' beside it", run: () => found(root) },
      }),
    ];
  },
};

async function listed(client: Client, root: string): Promise<Found> {
  let [names, nameBytes] = [0, 0];
  for await (const { entries } of client.files.list({ root: Buffer.from(root) }))
    for (const { path } of entries) {
      names += 1;
      nameBytes += path.length;
    }
  return { names, nameBytes };
}

async function found(root: string): Promise<Found> {
  const find = spawn('find', [root, '-printf', String.raw`%P\0`], { stdio: ['ignore', 'pipe', 'inherit'] });
  let [names, bytes] = [0, 0];
  for await (const chunk of find.stdout as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) names += 1;
  }
  return { names, nameBytes: bytes - names };
}
