import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { codeOf } from '@nodecore/sys';

import { type Digest, digestOf, isDigest } from '../digest.ts';
import { OciError } from '../errors.ts';
import { parseManifest } from '../manifest.ts';
import type { RegistrySource, StoredManifest } from '../server/answer.ts';
import { blobPath, type CachedName, manifestPath, registryName } from './place.ts';

/** Manifests are small; whatever is larger is none. */
const largestManifest = 4 * 1024 * 1024;

/** A cache for those who pull from it. Nothing that is damaged is handed out: it is as if it were not there. */
export class CacheSource {
  readonly #cache: string;
  /** What was found of blobs, by what changes with their bytes. */
  readonly #sound = new Map<string, Promise<boolean>>();

  constructor(cache: string) {
    this.#cache = cache;
  }

  /** For a registry by its name, or, for who does not say which one, the first of several that has the image. */
  of(registries: readonly string[]): RegistrySource<string> {
    const named = registries.map(registryName).filter(isRegistryName);
    return {
      tags: (repository) => this.#first(named, (registry) => this.#tags({ registry, repository })),
      manifest: (repository, reference) =>
        this.#first(named, (registry) => this.#manifest({ registry, repository }, reference)),
      blob: (_repository, digest) => this.#blob(digest),
    };
  }

  async #first<Value>(
    registries: readonly string[],
    ask: (registry: string) => Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    for (const registry of registries) {
      const found = await ask(registry);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #tags(name: CachedName): Promise<readonly string[] | undefined> {
    const found = await absent(readdir(dirname(manifestPath(this.#cache, name, 'latest'))));
    return found?.filter((each) => !each.endsWith('.part'));
  }

  async #manifest(name: CachedName, reference: string): Promise<StoredManifest | undefined> {
    const path = manifestPath(this.#cache, name, reference);
    const { size } = (await absent(stat(path))) ?? {};
    if (size === undefined || size > largestManifest) return undefined;
    const bytes = await absent(readFile(path));
    if (bytes === undefined) return undefined;
    const digest = digestOf(bytes);
    if (isDigest(reference) && reference.startsWith('sha256:') && digest !== reference) return undefined;
    const mediaType = typeOf(bytes);
    return mediaType === undefined ? undefined : { bytes, mediaType, digest };
  }

  async #blob(digest: string): Promise<{ readonly size: number; readonly blob: string } | undefined> {
    if (!isDigest(digest)) return undefined;
    const path = blobPath(this.#cache, digest);
    const there = await absent(stat(path, { bigint: true }));
    if (there?.isFile() !== true) return undefined;
    const key = `${digest} ${there.dev} ${there.ino} ${there.size} ${there.mtimeNs}`;
    const known = this.#sound.get(key) ?? hashOf(path, digest).then((found) => found === digest);
    this.#sound.set(key, known);
    return (await known.catch(() => false)) ? { size: Number(there.size), blob: path } : undefined;
  }
}

/** A host with a port, or none: it is a part of a path. */
function isRegistryName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/u.test(text);
}

/** The SHA-256 or SHA-512 of a file. */
export async function hashOf(path: string, { length }: Digest): Promise<string> {
  const algorithm = length > 80 ? 'sha512' : 'sha256';
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return `${algorithm}:${hash.digest('hex')}`;
}

/** What it says of itself, or what it must be; undefined for what is no manifest. */
function typeOf(bytes: Uint8Array): string | undefined {
  try {
    const parsed = parseManifest(bytes);
    return parsed.kind === 'index' ? parsed.index.mediaType : parsed.manifest.mediaType;
  } catch (error) {
    if (error instanceof OciError) return undefined;
    throw error;
  }
}

/** What is not there, or is no directory on the way there. */
async function absent<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' || codeOf(error) === 'EISDIR')
      return undefined;
    throw error;
  }
}
