import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { isSameFile, makeDirectory } from '@nodecore/sys';

import { isKvstoreError, KvstoreError } from '../errors.ts';
import type { SnapshotInfo } from '../snapshot/info.ts';
import { verifySnapshot } from '../snapshot/verify.ts';
import { runEtcdutl } from './etcdutl.ts';
import { holding, typed } from './hold.ts';
import { lockHolder } from './in-use.ts';
import { databaseIn, layoutOf } from './layout.ts';
import { resume, switchOver } from './switch.ts';
import { exists, settle, sync } from './tree.ts';
import { argumentsOf, checkBump, checkOptions, type RestoreSnapshotOptions } from './restore-options.ts';

/** etcd reserves 64 MiB for its log at once, and as much for the next part of it while it goes on: what else is written needs its own. */
const logBytes = 128n << 20n;

/**
 * Makes a snapshot the data of the first member of a new cluster. Everything is checked and made beside what is there; one
 * rename puts it in its place. A call that dies is cleaned or completed by the next one, or by {@link resumeRestore}.
 *
 * @returns what was restored, and is there.
 * @throws {KvstoreError} of the file, of the directory, or of etcdutl; then the directory has what it had.
 *   `ERR_KVSTORE_LOCKED` while another restore works there. Or `signal.reason`.
 */
export async function restoreSnapshot(options: RestoreSnapshotOptions): Promise<SnapshotInfo> {
  const { signal } = options;
  checkOptions(options);
  const info = await checkFile(options);
  checkBump(options, info);
  const dataDirectory = resolve(options.dataDirectory);
  await typed(dataDirectory, () => makeDirectory(dataDirectory), signal);
  const work = (): Promise<void> => restoreHeld({ ...options, dataDirectory }, info);
  await holding(dataDirectory, work, signal);
  return info;
}

/** For the holder of the directory: no other restore is in the middle of anything there. */
async function restoreHeld(options: RestoreSnapshotOptions, info: SnapshotInfo): Promise<void> {
  const { dataDirectory, signal } = options;
  await resume(dataDirectory);
  await checkDirectory(options, info);
  const { member, work, made, complete } = layoutOf(dataDirectory);
  // Of this call alone: what an earlier one started may still be about to die, and writes somewhere else.
  const making = `${made}-${randomUUID()}`;
  let database: Stats;
  try {
    await makeDirectory(work);
    await runEtcdutl(argumentsOf(options, making), options);
    await checkMade(options, making, info);
    signal?.throwIfAborted();
    await settle(making, await stat(dataDirectory));
    database = await stat(databaseIn(join(making, 'member')));
    await rename(making, made);
    await sync(work);
    await writeFile(complete, '', { flush: true });
    await sync(work);
    await sync(dataDirectory);
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    // Another program may have filled the disk meanwhile, and etcdutl says so in words only.
    if (isKvstoreError(error, 'ERR_KVSTORE_FAILED')) await requireRoom(dataDirectory, info);
    throw error;
  }
  // From here on it is done, now or by the next call.
  await switchOver(dataDirectory);
  const found = await stat(databaseIn(member)).catch(() => undefined);
  if (found === undefined || !isSameFile(found, database)) {
    const words =
      'has another database than the one that was restored: somebody else works there; look, and try again';
    throw new KvstoreError('ERR_KVSTORE_FAILED', dataDirectory, words);
  }
}

async function checkFile(options: RestoreSnapshotOptions): Promise<SnapshotInfo> {
  const { file, skipHashCheck = false, sha256 } = options;
  const info = await verifySnapshot(file, { ...options, skipDigest: skipHashCheck });
  if (info.digest === 'absent' && !skipHashCheck) {
    const words =
      'has no digest; when it is a copy of a data directory, skip the hash check, else take another file';
    throw new KvstoreError('ERR_KVSTORE_SNAPSHOT_DIGEST', file, words);
  }
  if (sha256 !== undefined && info.sha256 !== sha256) {
    const words = `is another snapshot than the one that is meant, with SHA-256 ${info.sha256}; send yours again`;
    throw new KvstoreError('ERR_KVSTORE_REFUSED', file, words);
  }
  return info;
}

async function checkDirectory(
  { dataDirectory, replace = false, bumpRevision = 0n, ...options }: RestoreSnapshotOptions,
  info: SnapshotInfo,
): Promise<void> {
  const { member } = layoutOf(dataDirectory);
  const holder = await lockHolder(databaseIn(member));
  if (holder !== undefined) {
    throw refused(dataDirectory, `the process ${holder} works with it; stop the member first`);
  }
  if (!replace && (await exists(member))) {
    throw refused(dataDirectory, 'has data; allow to put it aside, or name another directory');
  }
  await requireRoom(dataDirectory, info);
  if (bumpRevision > 0n) {
    const help = await runEtcdutl(['snapshot', 'restore', '--help'], options);
    if (!help.includes('--bump-revision')) {
      const words = 'this version of etcdutl can not bump revisions; take a newer one (3.6, or a late 3.5)';
      throw new KvstoreError('ERR_KVSTORE_UNSUPPORTED', options.etcdutl ?? 'etcdutl', words);
    }
  }
}

async function requireRoom(dataDirectory: string, { fileBytes }: SnapshotInfo): Promise<void> {
  const { bavail, bsize } = await statfs(dataDirectory, { bigint: true });
  const needed = fileBytes + logBytes;
  if (bavail * bsize >= needed) return;
  const words = `has ${bavail * bsize} bytes free, and ${needed} are needed; make room`;
  throw new KvstoreError('ERR_KVSTORE_DISK_FULL', dataDirectory, words);
}

/** What etcdutl made is proven like what it was given. */
async function checkMade(
  { file, signal, bumpRevision = 0n }: RestoreSnapshotOptions,
  making: string,
  info: SnapshotInfo,
): Promise<void> {
  const made = await verifySnapshot(databaseIn(join(making, 'member')), { signal });
  const added = bumpRevision > 0n ? 1n : 0n;
  if (made.revision !== info.revision + bumpRevision || made.revisions !== info.revisions + added) {
    const words = `etcdutl restored revision ${made.revision}, with ${made.revisions} entries, of ${info.revision} with ${info.revisions}`;
    throw new KvstoreError('ERR_KVSTORE_FAILED', file, words);
  }
}

function refused(dataDirectory: string, words: string): KvstoreError {
  return new KvstoreError('ERR_KVSTORE_REFUSED', dataDirectory, words);
}
