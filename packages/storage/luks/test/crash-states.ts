import { readFile } from 'node:fs/promises';

import { makeCandidate, type WholeHeader } from '../src/header-candidate.ts';
import { judgeCopies, readBytesCopies } from '../src/header-copies.ts';
import { parseHeaderJson } from '../src/header-json.ts';
import { writeCandidate } from '../src/header-write.ts';
import { subsets } from '@nodecore/testkit';

export type Write = { readonly position: number; readonly bytes: Buffer };
/** What was done to a device, in order. */
export type Step = Write | 'sync';

const sector = 512;

async function wholeHeader(bytes: Buffer): Promise<WholeHeader> {
  const { newest } = judgeCopies(await readBytesCopies(bytes));
  if (newest === undefined) throw new Error('no valid header');
  return { copy: newest, facts: parseHeaderJson('test', newest.json), bytes };
}

/** What a restore would do to the device, in order, without doing it. */
export async function recordRestore(
  path: string,
  backup: Uint8Array,
  prove: () => Promise<void> = async () => {},
): Promise<Step[]> {
  const disk = (await readFile(path)).subarray(0, backup.byteLength);
  const present = await wholeHeader(disk);
  const candidate = makeCandidate('test', await wholeHeader(Buffer.from(backup)), present.facts, {
    disk,
    sequence: present.copy.sequence,
  });
  const steps: Step[] = [];
  const target = {
    write: async (position: number, bytes: Uint8Array) =>
      void steps.push({ position, bytes: Buffer.from(bytes) }),
    sync: async () => void steps.push('sync'),
  };
  const before = disk.subarray(0, candidate.primary.length + candidate.secondary.length);
  await writeCandidate(target, candidate, { disk, before }, prove).catch((error: unknown) => {
    if (error !== refused) throw error;
  });
  return steps;
}

/** What `prove` may throw to have a restore undone. */
export const refused: Error = new Error('not proved');

/**
 * The device after a power cut at any moment. What came before a sync that has ended is there. Of the writes since, a
 * device with a cache may have kept any: every subset of them, each write torn into its first sector, the rest of its
 * first half and its second half.
 */
export function* crashStates(before: Buffer, steps: readonly Step[]): Generator<Buffer> {
  yield before;
  let durable = before;
  for (const [number, unsynced] of windows(steps).entries()) {
    const pieces = unsynced.flatMap((write) => torn(write));
    for (const subset of subsets(pieces.length, { limit: 128, seed: number + 1 })) {
      const isPartial = subset.length > 0 && subset.length < pieces.length;
      if (isPartial)
        yield applied(
          durable,
          pieces.filter((_, place) => subset.includes(place)),
        );
    }
    durable = applied(durable, unsynced);
    yield durable;
  }
}

/** The writes between one sync and the next. */
function windows(steps: readonly Step[]): Write[][] {
  const found: Write[][] = [[]];
  for (const step of steps) {
    if (step === 'sync') found.push([]);
    else found.at(-1)?.push(step);
  }
  return found.filter(({ length }) => length > 0);
}

function torn({ position, bytes }: Write): Write[] {
  const half = Math.ceil(bytes.length / 2 / sector) * sector;
  const ends = [0, sector, half, bytes.length];
  return ends
    .slice(1)
    .map((end, index) => ({ start: ends[index] ?? 0, end }))
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ position: position + start, bytes: bytes.subarray(start, end) }));
}

function applied(image: Buffer, writes: readonly Write[]): Buffer {
  const state = Buffer.from(image);
  for (const { position, bytes } of writes) bytes.copy(state, position);
  return state;
}
