import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { cpuMs } from './cpu-time.ts';
import { ImageFactory, saveStream } from './image-factory.ts';
import { servedFile } from './image/served-file.ts';
import { timeOf } from './image/timed-body.ts';
import { runProgram } from './program.ts';
import { ask, type Bench } from './question.ts';

const image = 'metal-amd64.raw.zst';
const factoryName = 'factory: POST /schematics, GET …raw.zst';

/** SHA-256 of what a compressed file holds. */
async function contentOf(path: string): Promise<string> {
  await runProgram(['zstd', '-d', '-q', '-f', '--no-sparse', path, '-o', `${path}.content`]);
  const hash = createHash('sha256');
  await pipeline(createReadStream(`${path}.content`), hash);
  await rm(`${path}.content`);
  return hash.digest('hex');
}

/** The finished disk, compressed by zstd and then sent. */
class Compressed {
  readonly path: string;
  readonly #argv: readonly [string, ...string[]];
  readonly #get: () => Promise<ReadableStream<Uint8Array>>;
  #onceMs: Promise<number> | undefined;

  private constructor(path: string, argv: readonly [string, ...string[]], get: Compressed['body']) {
    this.path = path;
    this.#argv = argv;
    this.#get = get;
  }

  static async of(stack: AsyncDisposableStack, raw: string, level: number): Promise<Compressed> {
    const path = `${raw}.${level}.zst`;
    const argv = ['zstd', `-${level}`, '-T0', '-q', '-f', raw, '-o', path] as const;
    return new Compressed(path, argv, await servedFile(stack, path));
  }

  readonly body = async (): Promise<ReadableStream<Uint8Array>> => {
    await runProgram(this.#argv);
    return await this.#get();
  };

  async content(): Promise<string> {
    await runProgram(this.#argv);
    return await contentOf(this.path);
  }

  /** Milliseconds until all of it was there, the only time that it was made: for a level that takes minutes. */
  async onceMs(): Promise<number> {
    return await (this.#onceMs ??= timeOf(this.body, 'all'));
  }
}

/** Of this process, which has both the server and its client, and of programs that it has run. */
async function usedMs(): Promise<number> {
  return (await cpuMs(process.pid, 'own')) + (await cpuMs(process.pid, 'children'));
}

/** Milliseconds of processor time that work takes. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = await usedMs();
  await work();
  return (await usedMs()) - before;
}

async function megabytes(path: string): Promise<number> {
  return (await stat(path)).size / 1e6;
}

export const bench: Bench = {
  async prepare(stack) {
    const factory = await ImageFactory.start(stack);
    const { place } = factory;
    const [raw, saved] = [join(place, 'disk.raw'), join(place, 'ours.zst')];
    await saveStream(await factory.image('metal-amd64.raw', 0), raw);
    await saveStream(await factory.image(image, 0), saved); // and the frames are there
    const [usual, smallest] = [await Compressed.of(stack, raw, 3), await Compressed.of(stack, raw, 18)];
    const another = async (): Promise<ReadableStream<Uint8Array>> => await factory.another(image);
    const run = async (): Promise<string> => await contentOf(saved);
    const runSmallest = async (): Promise<string> => {
      await smallest.onceMs();
      return await contentOf(smallest.path);
    };
    const gates = { all: 0.4, first: 0.2 } as const;
    return [
      ...(['all', 'first'] as const).map((part) =>
        ask<string>({
          name: part === 'all' ? 'image-compressed' : 'image-compressed-first-byte',
          question: `How long until ${part === 'all' ? 'all' : 'the first byte'} of a compressed disk that nobody has asked for, and of the finished disk by zstd -3, then sent?`,
          gate: gates[part],
          rounds: 7,
          ours: { name: factoryName, run, sample: async () => await timeOf(another, part) },
          peer: {
            name: 'zstd -3 -T0, node:http',
            run: async () => await usual.content(),
            sample: async () => await timeOf(usual.body, part),
          },
        }),
      ),
      ask<string>({
        name: 'image-compressed-cpu',
        question:
          'How much processor time does all of a compressed disk cost that nobody has asked for, and the finished disk by zstd -3, then sent, with who reads it?',
        gate: 0.3,
        rounds: 7,
        ours: {
          name: factoryName,
          run,
          sample: async () => await processorMs(() => timeOf(another, 'all')),
        },
        peer: {
          name: 'zstd -3 -T0, node:http',
          run: async () => await usual.content(),
          sample: async () => await processorMs(() => timeOf(usual.body, 'all')),
        },
      }),
      ask<string>({
        name: 'image-compressed-18',
        question:
          'How long until all of a compressed disk that nobody has asked for, and of the finished disk by zstd -18, then sent?',
        gate: 0.05,
        rounds: 1,
        warmUp: 0,
        ours: { name: factoryName, run, sample: async () => await timeOf(another, 'all') },
        peer: {
          name: 'zstd -18 -T0, node:http',
          run: runSmallest,
          sample: async () => await smallest.onceMs(),
        },
      }),
      ask<string>({
        name: 'image-compressed-size',
        question: 'How large is a compressed disk of frames that are made once, and the whole by zstd -18?',
        unit: 'MB',
        gate: 1.03,
        rounds: 1,
        warmUp: 0,
        ours: { name: '…raw.zst', run, sample: async () => await megabytes(saved) },
        peer: {
          name: 'zstd -18 -T0',
          run: runSmallest,
          sample: async () => await megabytes(smallest.path),
        },
      }),
    ];
  },
};
