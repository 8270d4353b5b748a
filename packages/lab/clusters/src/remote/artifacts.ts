import { createHash, randomUUID } from 'node:crypto';
import { lstat, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, makeDirectory, unlessGone } from '@nodecore/sys';
import { Serial } from '@nodecore/waiting';

import { ClusterError } from '../errors.ts';

const digestRule = /^[\da-f]{64}$/;

/** Images by their digests, brought by others: who names one gets a file of this directory, and nothing else of this computer. */
export class ArtifactStore {
  readonly #directory: string;
  readonly #maxBytes: number;
  /** Of those that are there. */
  #there = 0;
  /** Of those that are on their way. */
  #coming = 0;
  /** One looks at what is there, or puts an image there, at a time: no byte is counted nowhere. */
  readonly #looks = new Serial();

  /** @param maxBytes of all that are there and on their way */
  constructor(directory: string, maxBytes: number) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  /** The file of an image that is there. @throws {ClusterError} `ERR_CLUSTER_REQUEST` for what is no digest */
  async find(sha256: string): Promise<string | undefined> {
    const path = this.#pathOf(sha256);
    try {
      return (await lstat(path)).isFile() ? path : undefined;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /**
   * Takes an image. It is there when all of it came and has its digest; else nothing of it is.
   *
   * @throws {ClusterError} `ERR_CLUSTER_REQUEST` for another digest; `ERR_CLUSTER_IMAGE` where there is no room.
   */
  async receive(sha256: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#pathOf(sha256);
    await makeDirectory(this.#directory);
    await this.#looks.run(async () => {
      this.#there = await this.#bytesThere(); // somebody may have removed some
    });
    const part = join(this.#directory, `${sha256}.${randomUUID()}.part`);
    const hash = createHash('sha256');
    let size = 0;
    try {
      await using file = await open(part, 'wx', 0o600);
      for await (const piece of pieces) {
        size += piece.length;
        this.#coming += piece.length;
        if (this.#there + this.#coming > this.#maxBytes) throw this.#full();
        hash.update(piece);
        await file.appendFile(piece);
      }
      if (hash.digest('hex') !== sha256) {
        const words = `${size} bytes came for ${sha256}, and they have another digest`;
        throw new ClusterError('ERR_CLUSTER_REQUEST', words);
      }
      await file.sync();
      await this.#looks.run(async () => {
        await rename(part, path);
        // In the same moment: it is there now, and comes no more.
        this.#there = await this.#bytesThere();
        this.#coming -= size;
        size = 0;
      });
    } catch (error) {
      await rm(part, { force: true });
      if (codeOf(error) !== 'ENOSPC') throw error;
      const { bavail, bsize } = await statfs(this.#directory);
      const words = `the image does not fit into the ${Math.floor((bavail * bsize) / 2 ** 20)} MiB that are free`;
      throw new ClusterError('ERR_CLUSTER_IMAGE', words, { cause: error });
    } finally {
      this.#coming -= size;
    }
  }

  /** Removes what a process that was killed has left half. Nobody may be bringing anything. */
  async sweep(): Promise<void> {
    await makeDirectory(this.#directory);
    for (const name of await readdir(this.#directory))
      if (name.endsWith('.part')) await rm(join(this.#directory, name), { force: true });
  }

  #full(): ClusterError {
    const words = `images may have ${Math.floor(this.#maxBytes / 2 ** 20)} MiB there, and no more fits: give --max-cache, or remove some`;
    return new ClusterError('ERR_CLUSTER_IMAGE', words);
  }

  async #bytesThere(): Promise<number> {
    let sum = 0;
    for (const name of await readdir(this.#directory))
      // Somebody may have removed it since it was listed.
      if (digestRule.test(name)) sum += (await unlessGone(lstat(join(this.#directory, name))))?.size ?? 0;
    return sum;
  }

  #pathOf(sha256: string): string {
    if (digestRule.test(sha256)) return join(this.#directory, sha256);
    throw new ClusterError('ERR_CLUSTER_REQUEST', `${JSON.stringify(sha256)} is no SHA-256 in small letters`);
  }
}
