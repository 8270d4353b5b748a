import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isKvstoreError, type KvstoreError } from '../errors.ts';
import { lockHolder } from '../restore/in-use.ts';
import { sync } from '../restore/tree.ts';
import type { SnapshotInfo } from './info.ts';
import { verifySnapshot, type VerifySnapshotOptions } from './verify.ts';

/** A snapshot of a schedule: its name says when it was taken. */
export type CataloguedSnapshot = {
  readonly file: string;
  /** Milliseconds since the epoch, to the second. */
  readonly takenMs: number;
  readonly sizeBytes: bigint;
};

/** What {@link verifyCatalogue} found out about one file. */
export type VerifiedSnapshot = CataloguedSnapshot & {
  /** What it holds, or why it is worth nothing. */
  readonly outcome: SnapshotInfo | KvstoreError;
};

const pattern = /^etcd-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db(\.part)?$/;

/** The name of a snapshot in a directory of snapshots: sorted by name is sorted by time. */
export function catalogueFile(directory: string, takenMs: number): string {
  const time = new Date(takenMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return join(directory, `etcd-${time}Z.db`);
}

/** What a directory of snapshots holds. */
export type Catalogue = {
  /** Oldest first. */
  readonly snapshots: CataloguedSnapshot[];
  /** Names of what has no name of a snapshot, or is no regular file: not ours, and neither listed nor ever removed. */
  readonly ignored: string[];
};

/** The snapshots of a directory, and what else is there. */
export async function readCatalogue(directory: string): Promise<Catalogue> {
  const snapshots: CataloguedSnapshot[] = [];
  const ignored: string[] = [];
  for (const name of (await readdir(directory)).toSorted((a, b) => (a < b ? -1 : 1))) {
    const match = parsed(directory, name);
    const facts = match === undefined ? undefined : await lstat(match.file, { bigint: true });
    if (match === undefined || facts?.isFile() !== true) ignored.push(name);
    else if (!match.isPart)
      snapshots.push({ file: match.file, takenMs: match.takenMs, sizeBytes: facts.size });
  }
  return { snapshots, ignored };
}

/** The snapshots of a directory, oldest first. {@link readCatalogue} says what is left out. */
export async function listCatalogue(directory: string): Promise<CataloguedSnapshot[]> {
  return (await readCatalogue(directory)).snapshots;
}

/** Proves every snapshot of a directory, one after the other, and yields each as it is done. */
export async function* verifyCatalogue(
  directory: string,
  options: VerifySnapshotOptions = {},
): AsyncGenerator<VerifiedSnapshot, void, void> {
  for (const snapshot of await listCatalogue(directory)) {
    yield { ...snapshot, outcome: await outcomeOf(snapshot.file, options) };
  }
}

/** Removes what writers that died have left. @returns the files. */
export async function removeAbandoned(directory: string): Promise<string[]> {
  const removed: string[] = [];
  for (const { file, isPart } of await named(directory)) {
    if (!isPart || (await lockHolder(file)) !== undefined) continue;
    await rm(file, { force: true });
    removed.push(file);
  }
  return removed;
}

/** Removes snapshots for good. */
export async function removeSnapshots(
  directory: string,
  snapshots: readonly CataloguedSnapshot[],
): Promise<void> {
  if (snapshots.length === 0) return;
  for (const { file } of snapshots) await rm(file, { force: true });
  await sync(directory);
}

async function named(directory: string): Promise<Named[]> {
  return (await readdir(directory)).flatMap((name) => parsed(directory, name) ?? []);
}

type Named = { readonly file: string; readonly takenMs: number; readonly isPart: boolean };

function parsed(directory: string, name: string): Named | undefined {
  const match = pattern.exec(name);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const takenMs = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  return { file: join(directory, name), takenMs, isPart: match[7] !== undefined };
}

async function outcomeOf(file: string, options: VerifySnapshotOptions): Promise<SnapshotInfo | KvstoreError> {
  try {
    return await verifySnapshot(file, options);
  } catch (error) {
    if (isKvstoreError(error)) return error;
    throw error;
  }
}
