import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { startFactory } from '@nodecore/factory';
import { buildRelease } from '@nodecore/release';

import { runProgram } from './program.ts';
import { ask, type Bench } from './question.ts';

const version = 'v1.14.0-alpha.0';

/** A factory whose frames are there, and schematics that nobody has asked for. */
class Ours {
  readonly #url: string;
  #schematics = 0;

  constructor(url: string) {
    this.#url = url;
  }

  async open(number: number, end: string): Promise<ReadableStream<Uint8Array>> {
    const body = `customization:\n  extraKernelArgs: [bench=${number}]\n`;
    const answer = await fetch(`${this.#url}/schematics`, { method: 'POST', body });
    const { id } = (await answer.json()) as { readonly id: string };
    const response = await fetch(`${this.#url}/image/${id}/${version}/metal-amd64.${end}`);
    if (!response.ok || response.body === null) throw new Error(`${end}: ${response.status}`);
    return response.body;
  }

  async save(end: string, path: string): Promise<void> {
    await using file = await open(path, 'w');
    for await (const chunk of await this.open(0, end)) await file.write(chunk);
  }

  /** All of an image of another schematic each time. */
  async readAll(end: string): Promise<number> {
    this.#schematics += 1;
    const started = performance.now();
    const reader = (await this.open(this.#schematics, end)).getReader();
    while (!(await reader.read()).done);
    return performance.now() - started;
  }
}

/** SHA-256 of what a compressed file holds. */
async function contentOf(path: string): Promise<string> {
  await runProgram(['zstd', '-d', '-q', '-f', '--no-sparse', path, '-o', `${path}.content`]);
  const hash = createHash('sha256');
  await pipeline(createReadStream(`${path}.content`), hash);
  await rm(`${path}.content`);
  return hash.digest('hex');
}

export const bench: Bench = {
  async prepare(stack) {
    const place = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(async () => await rm(place, { recursive: true, force: true }));
    const { directory } = await buildRelease({ version });
    const factory = await startFactory({
      releases: join(directory, '..'),
      releaseKeys: [join(directory, '../../release-keys/release.pub')],
      listen: { host: '127.0.0.1', port: 0 },
      storage: join(place, 'factory'),
      externalUrl: 'http://127.0.0.1/',
    });
    stack.defer(async () => await factory.close());
    const ours = new Ours(`http://127.0.0.1:${factory.address.port}`);
    const [raw, saved, peer] = [join(place, 'disk.raw'), join(place, 'ours.zst'), join(place, 'peer.zst')];
    await ours.save('raw', raw);
    await ours.save('raw.zst', saved); // and the frames are there
    const compress = async (): Promise<void> => {
      await runProgram(['zstd', '-3', '-T0', '-q', '-f', raw, '-o', peer]);
    };
    return [
      ask<string>({
        name: 'image-compressed',
        question:
          'How long does all of a compressed disk take that nobody has asked for, made and downloaded, and zstd -3 of the finished disk?',
        gate: 1,
        rounds: 7,
        ours: {
          name: 'factory: POST /schematics, GET …raw.zst',
          run: async () => await contentOf(saved),
          sample: async () => await ours.readAll('raw.zst'),
        },
        peer: {
          name: 'zstd -3 -T0',
          run: async () => {
            await compress();
            return await contentOf(peer);
          },
          sample: async () => {
            const started = performance.now();
            await compress();
            return performance.now() - started;
          },
        },
      }),
    ];
  },
};
