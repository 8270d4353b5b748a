import { open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { errnoName } from '@nodecore/sys';
import { fileView, type View } from '@nodecore/view';

import { BootError } from './errors.ts';
import { syncfs } from './ffi-file-system.ts';
import { digestOnDisk, writeImage } from './image-file.ts';

/** A file among the entries. */
export type ListedFile = { readonly name: string; readonly sizeBytes: number };

/**
 * What is done with the directory of entries, one step each: tests cut the power between any two. Names are names in
 * that directory.
 */
export type EntryFiles = {
  list(): Promise<readonly ListedFile[]>;
  freeBytes(): Promise<number>;
  /** A new file with these bytes; they need not be on the disk when it resolves. */
  write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** The bytes of the file to the disk. */
  sync(name: string): Promise<void>;
  /** SHA-256, as hex, of what the disk has. */
  digest(name: string, signal?: AbortSignal): Promise<string>;
  /** The file as it is now. */
  view(name: string): Promise<View>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Names to the disk, and then everything else of the file system. */
  syncDirectory(): Promise<void>;
};

/** The entries on a mounted EFI system partition; `directory` is where its `/EFI/Linux` is. */
export function directoryFiles(directory: string): EntryFiles {
  return {
    async list() {
      const entries = await readdir(directory, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      return Promise.all(
        names.map(async (name) => ({ name, sizeBytes: (await stat(join(directory, name))).size })),
      );
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(directory);
      return bavail * bsize;
    },
    async write(name, chunks) {
      await using file = await open(join(directory, name), 'wx', 0o600);
      await writeImage(file, chunks);
    },
    async sync(name) {
      await using file = await open(join(directory, name), 'r+');
      await file.sync();
    },
    digest: (name, signal) => digestOnDisk(join(directory, name), signal),
    view: (name) => fileView(join(directory, name)),
    rename: (from, to) => rename(join(directory, from), join(directory, to)),
    remove: (name) => rm(join(directory, name)),
    async syncDirectory() {
      await using file = await open(directory, 'r');
      await file.sync();
      const { result, errno } = await syncfs(file.fd);
      if (result < 0) throw new BootError('ERR_BOOT_SYNC', `syncfs of ${directory}: ${errnoName(errno)}`);
    },
  };
}
