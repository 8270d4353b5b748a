import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { BootError, type EntryName, formatEntryName, parseEntryName } from '@nodecore/boot';
import { codeOf } from '@nodecore/sys';
import type { View } from '@nodecore/view';

import type { AddOptions, EntryStore, StoredEntry } from './entries.ts';

/** What the boot loader does not take for an entry. */
const unfinished = '.new';

/**
 * The entries in the `EFI/Linux` of a mounted EFI partition. FAT has no journal: a file appears under its name only when all of it
 * was written and read back.
 */
export class EntryDirectory implements EntryStore {
  readonly #path: string;
  readonly #dropCaches: string;

  /**
   * @param path of the directory; made by whoever has made the image.
   * @param dropCaches the kernel's file that has it read from the disk again.
   */
  constructor(path: string, dropCaches: string = '/proc/sys/vm/drop_caches') {
    this.#path = path;
    this.#dropCaches = dropCaches;
  }

  async list(): Promise<readonly StoredEntry[]> {
    let files: readonly string[];
    try {
      files = await readdir(this.#path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
    const entries: StoredEntry[] = [];
    for (const file of files) {
      const name = parseEntryName(file);
      if (name === undefined) continue;
      entries.push({ file, name, sizeBytes: (await stat(join(this.#path, file))).size });
    }
    return entries;
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#path);
    return bavail * bsize;
  }

  /** @throws {BootError} `ERR_BOOT_EXISTS`; `ERR_BOOT_MISMATCH` when something else is read back, which is removed. */
  async add(entry: EntryName, uki: View, { sha256, signal, written }: AddOptions): Promise<void> {
    const file = formatEntryName(entry);
    await this.#requireFree(file);
    const path = join(this.#path, `${file}${unfinished}`);
    try {
      await uki.writeTo(path, signal === undefined ? {} : { signal });
      written();
      await writeFile(this.#dropCaches, '1', { flag: 'r+' }).catch(() => {}); // then the cache is read: a disk that lies is not found
      if ((await digestOf(path)) !== sha256)
        throw new BootError('ERR_BOOT_MISMATCH', `${file}: what was read back is not what was written`);
      signal?.throwIfAborted();
      await rename(path, join(this.#path, file));
      await this.#sync();
    } catch (error) {
      await rm(path, { force: true });
      await rm(`${path}.part`, { force: true });
      throw error;
    }
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.#path, file));
    await this.#sync();
  }

  /** @throws {BootError} `ERR_BOOT_EXISTS`. */
  async rename(file: string, to: EntryName): Promise<void> {
    const name = formatEntryName(to);
    if (name === file) return;
    await this.#requireFree(name);
    await rename(join(this.#path, file), join(this.#path, name));
    await this.#sync();
  }

  async #requireFree(file: string): Promise<void> {
    const entries = await this.list();
    if (entries.some((entry) => entry.file.toLowerCase() === file.toLowerCase()))
      throw new BootError('ERR_BOOT_EXISTS', `${file} is there`);
  }

  async #sync(): Promise<void> {
    await using directory = await open(this.#path, 'r');
    await directory.sync();
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
