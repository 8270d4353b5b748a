import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import {
  OutputError,
  print,
  printFound,
  readFormat,
  registryCredentials,
  shortSize,
  type Terminal,
  UsageError,
} from '@nodecore/cli';
import {
  fillCache,
  type Filled,
  formatReference,
  OciError,
  type Reference,
  RegistryClient,
} from '@nodecore/clusters/image-cache';
import { codeOf, policyOf } from '@nodecore/sys/pure';
import { Backoff, type Clock, systemClock } from '@nodecore/waiting';

import { imageNames, parsePlatforms } from './image-names.ts';

export type CacheCreateFlags = {
  readonly images: readonly string[];
  readonly imageCachePath: string;
  readonly imageLayerCachePath?: string;
  readonly platform?: readonly string[];
  readonly cosignSignatures: boolean;
  readonly force?: true;
  readonly insecure?: true;
  readonly output: string;
};

/** What a cache has at its top, and nothing else of anybody has. */
const ours = new Set(['blob', 'manifests']);
/** So long one image is tried. */
const patienceMs = 30 * 60_000;

/** Makes a cache of images, or goes on with one: what is there stays, and what is missing is fetched. */
export async function createCache(
  flags: CacheCreateFlags,
  terminal: Terminal,
  clock: Clock = systemClock,
): Promise<void> {
  const format = await readFormat(flags.output);
  const platforms = parsePlatforms(flags.platform ?? ['linux/amd64']);
  const references = await imageNames(flags.images, terminal);
  const credentialsOf = await registryCredentials(terminal.env);
  const { imageCachePath: cache, imageLayerCachePath: blobs } = flags;
  await prepare(cache, flags.force === true);
  const clients = new Map<string, RegistryClient>();
  const clientOf = ({ registry }: Reference): RegistryClient => {
    const credentials = credentialsOf(registry);
    const made =
      clients.get(registry) ??
      new RegistryClient(registry, { plain: flags.insecure === true, ...(credentials && { credentials }) });
    clients.set(registry, made);
    return made;
  };
  const filled: ({ readonly image: string } & Filled)[] = [];
  for (const reference of references) {
    const image = formatReference(reference);
    const fill = (): Promise<Filled> =>
      fillCache(reference, {
        client: clientOf(reference),
        cache,
        platforms,
        blobs,
        signatures: flags.cosignSignatures,
        signal: terminal.signal,
      });
    const done = await again(fill, image, terminal, clock);
    filled.push({ image, ...done });
    const fetched = `${shortSize(done.fetchedBytes)} of ${shortSize(done.sizeBytes)} fetched`;
    await print(terminal.error, `${image}: ${fetched}\n`);
  }
  await printFound(terminal, format, filled, { single: false, text: () => '' });
}

/** @throws {UsageError} for a directory that holds anything but a cache; nothing of it was touched. */
async function prepare(cache: string, replaces: boolean): Promise<void> {
  const there = await lstat(cache).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new OutputError(cache, codeOf(error) ?? 'failed');
  });
  if (there !== undefined) {
    if (!there.isDirectory()) throw new UsageError(`${cache} is no directory`);
    const names = await readdir(cache);
    const other = names.find((name) => !ours.has(name));
    if (other !== undefined)
      throw new UsageError(
        `${cache} is no image cache: it holds ${JSON.stringify(other)}; name a new directory`,
      );
    if (replaces) for (const name of names) await rm(join(cache, name), { recursive: true });
  }
  await mkdir(cache, { recursive: true }).catch((error: unknown) => {
    throw new OutputError(cache, codeOf(error) ?? 'failed');
  });
}

/** Tries until it is done, or can't be: what was fetched is not fetched again. */
async function again(
  fill: () => Promise<Filled>,
  image: string,
  { signal, error: output }: Terminal,
  clock: Clock,
): Promise<Filled> {
  const backoff = new Backoff({ firstMs: 1_000, largestMs: 30_000 });
  const endMs = clock.now() + patienceMs;
  for (;;) {
    try {
      return await fill();
    } catch (error) {
      signal.throwIfAborted();
      const code = codeOf(error);
      if (!(error instanceof OciError)) {
        if (code === undefined) throw error;
        throw new OutputError(image, code); // of the kernel: no room, no permission
      }
      const waitMs = backoff.next();
      if (policyOf(error)?.retry !== 'helps' || clock.now() + waitMs > endMs)
        throw new OciError(error.code, `${image}: ${error.message}`, { cause: error });
      output.write(`osctl: ${image}: ${error.message}; trying again\n`);
      await clock.sleep(waitMs, signal);
    }
  }
}
