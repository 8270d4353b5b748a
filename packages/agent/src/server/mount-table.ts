import { statfs } from 'node:fs/promises';

import type { MountInit } from '@nodecore/api';
import { type Mount, mounts } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';

/** A file system that does not answer within this time gets an error in its row. */
const deadlineMs = 2_000;

/** The kernel's mount table with sizes. A dead file system delays the answer by the deadline, and no other row. */
export async function mountTable(): Promise<MountInit[]> {
  return Promise.all((await mounts.list()).map((mount) => row(mount)));
}

async function row({ source, target, type, options }: Mount): Promise<MountInit> {
  const known = { source, target, type, options };
  try {
    const { bsize, blocks, bfree, bavail, files, ffree } = await within(
      deadlineMs,
      statfs(target, { bigint: true }),
    );
    return {
      ...known,
      sizeBytes: bsize * blocks,
      usedBytes: bsize * (blocks - bfree),
      availableBytes: bsize * bavail,
      inodes: files,
      inodesFree: ffree,
    };
  } catch (error) {
    return { ...known, error: codeOf(error) ?? 'no answer' };
  }
}

/** statfs(2) can't be interrupted: the pool thread stays with it, and only the wait ends. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DOMException(`no answer in ${ms} ms`, 'TimeoutError')), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
