import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { ImageFactory, saveStream } from './image-factory.ts';
import { runProgram } from './program.ts';
import { ask, type Bench } from './question.ts';

/** Milliseconds until work has a body, and all of it is read, or its first byte. */
async function timeOf(
  work: () => Promise<ReadableStream<Uint8Array>>,
  part: 'all' | 'first',
): Promise<number> {
  const started = performance.now();
  const reader = (await work()).getReader();
  for (;;) {
    const { done } = await reader.read();
    if (done || part === 'first') break;
  }
  const milliseconds = performance.now() - started;
  await reader.cancel();
  return milliseconds;
}

/** Serves a file, as a plain program does. */
async function serveFile(stack: AsyncDisposableStack, path: string): Promise<string> {
  const server = createServer(
    (_request, response) => void pipeline(createReadStream(path), response).catch(() => {}),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
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
    const factory = await ImageFactory.start(stack);
    const { place } = factory;
    const [raw, saved, peer] = [join(place, 'disk.raw'), join(place, 'ours.zst'), join(place, 'peer.zst')];
    await saveStream(await factory.image('metal-amd64.raw', 0), raw);
    await saveStream(await factory.image('metal-amd64.raw.zst', 0), saved); // and the frames are there
    const compress = async (): Promise<void> => {
      await runProgram(['zstd', '-3', '-T0', '-q', '-f', raw, '-o', peer]);
    };
    const url = await serveFile(stack, peer);
    const built = async (): Promise<ReadableStream<Uint8Array>> => {
      await compress();
      const { body } = await fetch(url);
      if (body === null) throw new Error('no body');
      return body;
    };
    return (['all', 'first'] as const).map((part) =>
      ask<string>({
        name: part === 'all' ? 'image-compressed' : 'image-compressed-first-byte',
        question: `How long until ${part === 'all' ? 'all' : 'the first byte'} of a compressed disk that nobody has asked for, and of the finished disk by zstd -3, then sent?`,
        gate: part === 'all' ? 1 : 0.5,
        rounds: 7,
        ours: {
          name: 'factory: POST /schematics, GET …raw.zst',
          run: async () => await contentOf(saved),
          sample: async () => await timeOf(async () => await factory.another('metal-amd64.raw.zst'), part),
        },
        peer: {
          name: 'zstd -3 -T0, node:http',
          run: async () => {
            await compress();
            return await contentOf(peer);
          },
          sample: async () => await timeOf(built, part),
        },
      }),
    );
  },
};
