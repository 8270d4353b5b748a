import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cpuMs } from './cpu-time.ts';
import { type FileServer, nginx, nodeServer } from './image/file-servers.ts';
import { largeRelease, startServing } from './image/serving-factory.ts';
import { saveStream } from './image-factory.ts';
import { runProgram } from './program.ts';
import { ask, type Bench, type Side } from './question.ts';

/** The kernel tells hundredths of a second. */
const downloads = 4;

/** Milliseconds until curl has all of it. */
async function download(url: string): Promise<number> {
  const words = [
    'curl',
    '--silent',
    '--fail',
    '--output',
    '/dev/null',
    '--retry-connrefused',
    '--retry',
    '5',
  ];
  const seconds = await runProgram([...(words as ['curl']), '--write-out', '%{time_total}', url]);
  return Number(seconds) * 1000;
}

/** SHA-256 of what is sent. */
async function digest(url: string): Promise<string> {
  await download(url);
  const hash = createHash('sha256');
  const { body } = await fetch(url);
  for await (const chunk of body ?? []) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

function side(name: string, { url }: Pick<FileServer, 'url'>, sample: () => Promise<number>): Side<string> {
  return { name, run: async () => await digest(url), sample };
}

function time(name: string, server: FileServer): Side<string> {
  return side(name, server, async () => await download(server.url));
}

/** Of the server, for one download. */
function processorTime(name: string, server: FileServer): Side<string> {
  return side(name, server, async () => {
    const before = await cpuMs(server.pid, 'own');
    for (let count = 0; count < downloads; count += 1) await download(server.url);
    return ((await cpuMs(server.pid, 'own')) - before) / downloads;
  });
}

export const bench: Bench = {
  async prepare(stack) {
    const place = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(async () => await rm(place, { recursive: true, force: true }));
    const { pid, image: url } = await startServing(stack, await largeRelease(place), join(place, 'storage'));
    const factory: FileServer = { pid, url };
    const saved = join(place, 'saved.efi');
    const { body } = await fetch(url);
    if (body === null) throw new Error('no body');
    await saveStream(body, saved);
    const peers = { nginx: await nginx(stack, saved), node: await nodeServer(stack, saved) };
    const what = 'an image of 200 MB that was asked for before';
    return [
      ask<string>({
        name: 'image-serve',
        question: `How long does ${what} take to curl, and the same bytes as a file by sendfile?`,
        gate: 2,
        ours: time('factory', factory),
        peer: time('nginx', peers.nginx),
      }),
      ask<string>({
        name: 'image-serve-node',
        question: `How long does ${what} take to curl, and the same bytes as a file by a pipeline?`,
        gate: 1.1,
        ours: time('factory', factory),
        peer: time('node:http, createReadStream', peers.node),
      }),
      ask<string>({
        name: 'image-serve-cpu',
        question: `How much processor time does ${what} cost its server, and the same bytes as a file by sendfile?`,
        gate: 3,
        ours: processorTime('factory', factory),
        peer: processorTime('nginx', peers.nginx),
      }),
    ];
  },
};
