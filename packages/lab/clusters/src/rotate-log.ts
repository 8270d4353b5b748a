import { copyFile, rename, rm, stat, truncate } from 'node:fs/promises';

import { unlessGone } from '@nodecore/sys';
import { Serial } from '@nodecore/waiting';

/** How large a log becomes, and how many of before are kept. */
const [usualLimitBytes, kept] = [16 << 20, 3];

/** A log that is put away twice at once would lose what is in between. */
const rotations = new Serial();

/**
 * Puts away what a log has, when it has at least so many bytes: `console.log` goes on empty, and `console.1.log` to `console.3.log` are what it
 * was, the newest first. Who writes goes on with the same file, and has to append; what it writes while it is copied may be lost. Who
 * reads finds `console.1.log` only when the log is empty: nothing is in both.
 */
export async function rotateLog(path: string, limitBytes: number = usualLimitBytes): Promise<void> {
  await rotations.run(async () => {
    await endHalfRotation(path);
    if ((await sizeOf(path)) < limitBytes) return;
    await copyFile(path, halfPutAway(path));
    await makeRoom(path);
    await truncate(path);
    await rename(halfPutAway(path), numbered(path, 1));
  });
}

/** Puts away a log that nobody writes to: the next who does begins a file of its own, and nothing is lost. */
export async function putAwayLog(path: string): Promise<void> {
  await rotations.run(async () => {
    await endHalfRotation(path);
    if ((await sizeOf(path)) === 0) return;
    await makeRoom(path);
    await rename(path, numbered(path, 1));
  });
}

/** Where what a log had before may be, the newest first: as it is put away here, and as the sink of services does. */
export function earlierLogs(path: string): readonly string[] {
  return [...Array.from({ length: kept }, (_, index) => numbered(path, index + 1)), `${path}.1`];
}

/** Of a process that was killed: its copy is whole when the log is shorter, and else was not needed yet. */
async function endHalfRotation(path: string): Promise<void> {
  const copied = await sizeOf(halfPutAway(path));
  if (copied <= (await sizeOf(path))) return await rm(halfPutAway(path), { force: true });
  await makeRoom(path);
  await rename(halfPutAway(path), numbered(path, 1));
}

async function makeRoom(path: string): Promise<void> {
  for (let number = kept - 1; number > 0; number -= 1)
    await unlessGone(rename(numbered(path, number), numbered(path, number + 1)));
}

/** 0 for one that is not there. */
async function sizeOf(path: string): Promise<number> {
  return (await unlessGone(stat(path)))?.size ?? 0;
}

/** Where a log is copied to until it is emptied: whole from when the log is shorter, also when the process was killed then. */
export function halfPutAway(path: string): string {
  return `${path}.part`;
}

function numbered(path: string, number: number): string {
  return path.replace(/\.log$/, `.${number}.log`);
}
