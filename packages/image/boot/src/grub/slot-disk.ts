import { open, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, errnoName } from '@nodecore/sys';
import { fileView, type View } from '@nodecore/view';

import { BootError } from '../errors.ts';
import { syncfs } from '../ffi-file-system.ts';
import { digestOnDisk, writeImage } from '../image-file.ts';

/** What is done to the partition, one step each: tests cut the power between any two. Paths are from its root, with `/`. */
export type SlotDisk = {
  read(path: string): Promise<Buffer>;
  /** A file that is there. */
  view(path: string): Promise<View>;
  /** Undefined when there is none. */
  sizeOf(path: string): Promise<number | undefined>;
  freeBytes(): Promise<number>;
  /** A file with these bytes, in place of what was there; they need not be on the disk when it resolves. */
  write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Other bytes for a file of the same size, where they are; on the disk when it resolves. */
  overwrite(path: string, bytes: Uint8Array): Promise<void>;
  sync(path: string): Promise<void>;
  /** SHA-256, as hex, of what the disk has. */
  digest(path: string, signal?: AbortSignal): Promise<string>;
  remove(path: string): Promise<void>;
  /** Everything to the disk. */
  syncAll(): Promise<void>;
};

/** A partition that is mounted there. */
export function mountedSlots(root: string): SlotDisk {
  return {
    read: (path) => readFile(join(root, path)),
    view: (path) => fileView(join(root, path)),
    async sizeOf(path) {
      try {
        return (await stat(join(root, path))).size;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
    async write(path, chunks) {
      await using file = await open(join(root, path), 'w', 0o600);
      await writeImage(file, chunks);
    },
    async overwrite(path, bytes) {
      await using file = await open(join(root, path), 'r+');
      const { size } = await file.stat();
      if (size !== bytes.length)
        throw new BootError('ERR_BOOT_ENVIRONMENT', `${path} has ${size} bytes, and not ${bytes.length}`);
      await file.write(bytes, 0, bytes.length, 0);
      await file.sync();
    },
    async sync(path) {
      await using file = await open(join(root, path), 'r+');
      await file.sync();
    },
    digest: (path, signal) => digestOnDisk(join(root, path), signal),
    remove: (path) => rm(join(root, path), { force: true }),
    async syncAll() {
      await using file = await open(root, 'r');
      const { result, errno } = await syncfs(file.fd);
      if (result < 0) throw new BootError('ERR_BOOT_SYNC', `syncfs of ${root}: ${errnoName(errno)}`);
    },
  };
}
