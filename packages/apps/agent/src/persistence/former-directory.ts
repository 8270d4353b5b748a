import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { removeFileDurably } from '@nodecore/sys';

import { writeSecretText } from './secret-text.ts';

const namePattern = /^(\d+)\.yaml$/;

/** How many are kept: one is added with each change of keys, for as long as a volume has not followed. */
const most = 16;

/** Configurations whose keys may still be in keyslots, as files `<version>.yaml`. */
export class FormerDirectory {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** What the files hold, the newest first. */
  async list(): Promise<readonly Buffer[]> {
    const versions = await this.#versions();
    return Promise.all(versions.map((version) => readFile(this.#file(version))));
  }

  /** Survives a power cut from the moment this resolves. Beyond {@link most}, the oldest goes. */
  async put(version: number, text: string): Promise<void> {
    await writeSecretText(this.#file(version), text);
    for (const old of (await this.#versions()).slice(most)) await removeFileDurably(this.#file(old));
  }

  async clear(): Promise<void> {
    for (const version of await this.#versions()) await removeFileDurably(this.#file(version));
  }

  async #versions(): Promise<readonly number[]> {
    const names = await readdir(this.#path);
    const versions = names.flatMap((name) => namePattern.exec(name)?.[1] ?? []);
    return versions.map(Number).sort((a, b) => b - a);
  }

  #file(version: number): string {
    return join(this.#path, `${version}.yaml`);
  }
}
