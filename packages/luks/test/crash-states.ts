import { readFile } from 'node:fs/promises';

import { makeCandidate, type WholeHeader } from '../src/header-candidate.ts';
import { judgeCopies, readBytesCopies } from '../src/header-copies.ts';
import { parseHeaderJson } from '../src/header-json.ts';
import { writeCandidate } from '../src/header-write.ts';

export type Write = { readonly position: number; readonly bytes: Buffer };

const sector = 512;

async function wholeHeader(bytes: Buffer): Promise<WholeHeader> {
  const { newest } = judgeCopies(await readBytesCopies(bytes));
  if (newest === undefined) throw new Error('no valid header');
  return { copy: newest, facts: parseHeaderJson('test', newest.json), bytes };
}

/** What a restore would write to the device, in order, without writing it. */
export async function recordRestore(
  path: string,
  backup: Uint8Array,
  prove: () => Promise<void> = async () => {},
): Promise<Write[]> {
  const disk = (await readFile(path)).subarray(0, backup.byteLength);
  const present = await wholeHeader(disk);
  const candidate = makeCandidate('test', await wholeHeader(Buffer.from(backup)), present.facts, {
    disk,
    sequence: present.copy.sequence,
  });
  const writes: Write[] = [];
  const target = {
    write: async (position: number, bytes: Uint8Array) =>
      void writes.push({ position, bytes: Buffer.from(bytes) }),
    sync: async () => {},
  };
  const before = disk.subarray(0, candidate.primary.length + candidate.secondary.length);
  await writeCandidate(target, candidate, { disk, before }, prove).catch((error: unknown) => {
    if (error !== refused) throw error;
  });
  return writes;
}

/** What `prove` may throw to have a restore undone. */
export const refused: Error = new Error('not proved');

/** The device after every whole write, and after some torn ones: only the first, or only the last, sectors arrived. */
export function crashStates(before: Buffer, writes: readonly Write[]): Buffer[] {
  const states: Buffer[] = [];
  let image = before;
  for (const { position, bytes } of writes) {
    const apply = (from: number, to: number): Buffer => {
      const state = Buffer.from(image);
      bytes.copy(state, position + from, from, to);
      return state;
    };
    const half = Math.ceil(bytes.length / 2 / sector) * sector;
    states.push(apply(0, sector), apply(0, half), apply(half, bytes.length), apply(sector, bytes.length));
    image = apply(0, bytes.length);
    states.push(image);
  }
  return states;
}
