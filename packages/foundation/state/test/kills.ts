import { rm, writeFile } from 'node:fs/promises';

import type { Call } from './recorded-writes.ts';

/** The files as a kernel has them after some calls. */
export type Files = Map<string, Buffer>;

function apply(files: Files, call: Call, part = 1): void {
  if (call.call === 'said' || call.call === 'sync') return;
  const before = files.get(call.file) ?? Buffer.alloc(0);
  if (call.call === 'unlink') files.delete(call.file);
  else if (call.call === 'truncate') {
    const after = Buffer.alloc(call.sizeBytes);
    before.copy(after);
    files.set(call.file, after);
  } else {
    const bytes = call.bytes.subarray(0, Math.floor(call.bytes.length * part));
    const after = Buffer.alloc(Math.max(before.length, call.offset + bytes.length));
    before.copy(after);
    bytes.copy(after, call.offset);
    files.set(call.file, after);
  }
}

/**
 * Every state in which the files are left by a kill: after each call, and within each write. With them what was said by
 * then. After the first acknowledgement also what a power cut leaves of the newest files: what was synced alone.
 */
export function* kills(
  calls: readonly Call[],
  before: Files = new Map(),
): Generator<[string, Files, readonly string[]]> {
  const files: Files = new Map(before);
  const synced: Files = new Map(before);
  const said: string[] = [];
  for (const [index, call] of calls.entries()) {
    const name = `call ${index}, ${call.call}`;
    if (call.call === 'write') {
      const half = new Map(files);
      apply(half, call, 0.5);
      yield [`within ${name}`, half, [...said]];
    }
    apply(files, call);
    if (call.call === 'said') said.push(...call.text.trim().split('\n'));
    if (call.call === 'sync') synced.set(call.file, files.get(call.file) ?? Buffer.alloc(0));
    yield [name, new Map(files), [...said]];
    const isKept = call.call === 'sync' || call.call === 'said';
    if (said.length > 0 && isKept) yield [`power cut after ${name}`, new Map(synced), [...said]];
  }
}

/** The files of a state that a kill may leave in halves. */
export function filesOf(path: string): string[] {
  return [path, `${path}-wal`, `${path}-journal`];
}

/** Makes the files of a state be as they were at some moment. */
export async function putFiles(path: string, files: Files): Promise<void> {
  await Promise.all([...filesOf(path), `${path}-shm`].map(async (file) => await rm(file, { force: true })));
  for (const [file, bytes] of files) await writeFile(file, bytes);
}
