import { rename, rm } from 'node:fs/promises';

import { isKvstoreError, KvstoreError } from '../errors.ts';
import { holding } from './hold.ts';
import { layoutOf } from './layout.ts';
import { exists, sync } from './tree.ts';

/** What was found of a restore that did not come to its end: nothing, or data that was in the making, or complete. */
export type ResumedRestore = 'nothing' | 'cleaned' | 'completed';

/**
 * Ends a restore that was interrupted: what was in the making is removed, what was complete takes its place. Call it before
 * a member is started on a data directory; {@link restoreSnapshot} begins with it, too.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_LOCKED` while a restore runs there; and of the directory.
 */
export async function resumeRestore(dataDirectory: string): Promise<ResumedRestore> {
  return await ifThere(
    holding(dataDirectory, () => resume(dataDirectory)),
    'nothing',
  );
}

/** The same for the holder of the directory. */
export async function resume(dataDirectory: string): Promise<ResumedRestore> {
  const { work, complete, gone } = layoutOf(dataDirectory);
  await rm(gone, { recursive: true, force: true });
  if (!(await exists(work))) return 'nothing';
  if (await exists(complete)) {
    await switchOver(dataDirectory);
    return 'completed';
  }
  await rm(work, { recursive: true });
  await sync(dataDirectory);
  return 'cleaned';
}

/** Puts complete data in its place and what was there aside. May be interrupted anywhere and called again. */
export async function switchOver(dataDirectory: string): Promise<void> {
  const { member, work, made, former } = layoutOf(dataDirectory);
  const from = `${made}/member`;
  if (await exists(from)) {
    if (await exists(member)) {
      // Data of a restored member that was never healthy is worth less than what was there before it.
      if (await exists(former)) await rm(member, { recursive: true });
      else await rename(member, former);
    }
    await rename(from, member);
    await sync(dataDirectory);
  }
  await rm(work, { recursive: true });
  await sync(dataDirectory);
}

/**
 * The restored member is healthy: what was there before it goes. Twice is fine.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_REFUSED` when a restore has not come to its end: what is healthy is not restored then;
 *   `ERR_KVSTORE_LOCKED` while one runs there; and of the directory.
 */
export async function confirmRestore(dataDirectory: string): Promise<void> {
  await ifThere(
    holding(dataDirectory, () => confirm(dataDirectory)),
    undefined,
  );
}

async function confirm(dataDirectory: string): Promise<void> {
  const { work, former, gone } = layoutOf(dataDirectory);
  if (await exists(work))
    throw new KvstoreError(
      'ERR_KVSTORE_REFUSED',
      dataDirectory,
      'a restore is not complete: resume it first',
    );
  if (!(await exists(former))) return;
  // Renamed first: half of it must never be taken for data that can be gone back to.
  await rm(gone, { recursive: true, force: true });
  await rename(former, gone);
  await sync(dataDirectory);
  await rm(gone, { recursive: true });
  await sync(dataDirectory);
}

/** Whether data from before a restore is still kept. */
export function hasFormerData(dataDirectory: string): Promise<boolean> {
  return exists(layoutOf(dataDirectory).former);
}

/**
 * Takes a restore back: what was there before is there again, and the restored data is gone. The member must be stopped.
 *
 * @returns false when nothing is kept from before.
 * @throws {KvstoreError} `ERR_KVSTORE_LOCKED` while a restore runs there; and of the directory.
 */
export async function undoRestore(dataDirectory: string): Promise<boolean> {
  return await ifThere(
    holding(dataDirectory, () => undo(dataDirectory)),
    false,
  );
}

async function undo(dataDirectory: string): Promise<boolean> {
  const { member, former } = layoutOf(dataDirectory);
  if (!(await exists(former))) return false;
  await rm(member, { recursive: true, force: true });
  await rename(former, member);
  await sync(dataDirectory);
  return true;
}

/** A directory that is not there has nothing to end, to confirm or to take back. */
async function ifThere<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isKvstoreError(error, 'ERR_KVSTORE_NOT_FOUND')) return otherwise;
    throw error;
  }
}
