import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildRelease } from '@nodecore/release';
import { systemClock } from '@nodecore/waiting';

import { ImageFactory } from './image-factory.ts';
import { startFactoryProgram } from './image/serving-factory.ts';
import { limit } from './limit.ts';
import { loopDelayMs } from './loop-delay.ts';
import type { Bench } from './question.ts';

const version = 'v1.14.0-alpha.0';
const callers = 32;
/** Of each caller, in a sample. */
const submissions = 50;
/** Of each kind at once, while the loop is watched. */
const downloads = 8;
const kinds = ['metal-amd64-uki.efi', 'metal-amd64.raw', 'metal-amd64.raw.zst', 'metal-amd64.iso'] as const;

/** Who asks a factory about schematics that nobody has submitted. */
class Caller {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: callers });
  #schematics = 0;

  constructor(stack: AsyncDisposableStack, url: string) {
    this.#url = url;
    stack.defer(() => this.#agent.destroy());
  }

  /** @returns the ID of a new schematic. */
  async submit(): Promise<string> {
    this.#schematics += 1;
    const text = `customization:\n  extraKernelArgs: [requests=${this.#schematics}]\n`;
    const { id } = JSON.parse(await this.#answer('POST', '/schematics', 201, text)) as {
      readonly id: string;
    };
    return id;
  }

  async headManifest(id: string): Promise<void> {
    await this.#answer('HEAD', `/v2/metal-installer/${id}/manifests/${version}`, 200);
  }

  async #answer(method: string, path: string, expected: number, body = ''): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    request(`${this.#url}${path}`, { agent: this.#agent, method }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => {
        if (answer.statusCode === expected) resolve(text);
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
      });
    })
      .on('error', reject)
      .end(body);
    return await promise;
  }
}

/** Milliseconds for each of many new schematics that callers submit at once, each one after the other. */
async function submissionMs(caller: Caller): Promise<number> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let count = 0; count < submissions; count += 1) await caller.submit();
    }),
  );
  return (performance.now() - started) / (callers * submissions);
}

/** Milliseconds until a registry's client knows the installer of a schematic that nobody has asked for. */
async function manifestMs(caller: Caller): Promise<number> {
  const id = await caller.submit();
  const started = performance.now();
  await caller.headManifest(id);
  return performance.now() - started;
}

/** A program of its own takes images, all at once, so that its work is no delay of ours. */
async function download(urls: readonly string[]): Promise<void> {
  const many = ['--no-progress-meter', '--fail', '--parallel', '--parallel-max', String(urls.length)];
  const each = urls.flatMap((url) => ['--output', '/dev/null', url]);
  const child = spawn('curl', [...many, '--parallel-immediate', ...each], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`curl: ${code}`);
}

/** How much the factory's loop is delayed at p99 while new images of all kinds are taken, beyond idle. */
async function delayMs(factory: ImageFactory): Promise<number> {
  const urls = await Promise.all(
    kinds.flatMap((name) => Array.from({ length: downloads }, () => factory.anotherUrl(name))),
  );
  const started = performance.now();
  const during = await loopDelayMs(() => download(urls));
  // Idle for as long, right after: what else the machine does is no delay of ours.
  const idle = await loopDelayMs(() => systemClock.sleep(performance.now() - started));
  return Math.max(0, during - idle);
}

/** What the factory says before any image goes. */
export const bench: Bench = {
  async prepare(stack) {
    const place = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(async () => await rm(place, { recursive: true, force: true }));
    const { directory } = await buildRelease({ version });
    const release = {
      releases: join(directory, '..'),
      key: join(directory, '../../release-keys/release.pub'),
    };
    const { url } = await startFactoryProgram(stack, release, join(place, 'storage'));
    const caller = new Caller(stack, url);
    const factory = await ImageFactory.start(stack);
    return [
      limit({
        name: 'image-requests-schematics',
        question: `How long does a new schematic take that one of ${callers} callers submits, all at once, until it is on the disk?`,
        ours: 'POST /schematics, time ÷ answers',
        budget: 0.5,
        sample: async () => await submissionMs(caller),
      }),
      limit({
        name: 'image-requests-manifest',
        question: 'How long until there is a manifest of an installer that nobody has asked for?',
        ours: 'HEAD /v2/metal-installer/ID/manifests/VERSION',
        budget: 20,
        sample: async () => await manifestMs(caller),
      }),
      limit({
        name: 'image-requests-loop-delay',
        question: `How much is the factory's event loop delayed while ${kinds.length * downloads} new images are taken at once, beyond idle?`,
        ours: 'p99 delay during downloads − idle',
        budget: 10,
        rounds: 7,
        sample: async () => await delayMs(factory),
      }),
    ];
  },
};
