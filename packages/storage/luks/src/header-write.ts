import { randomFillSync } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { found } from './device.ts';
import { LuksError } from './errors.ts';
import type { Candidate } from './header-candidate.ts';

/** What a header is written to. Each write may be torn by a crash; nothing of one before a sync is lost after it. */
export type HeaderTarget = {
  write(position: number, bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
};

/** A device or a file, open for writing. */
export async function openTarget(device: string): Promise<HeaderTarget & AsyncDisposable> {
  const file = await found(device, 'open', open(device, 'r+'));
  return {
    write: async (position, bytes) => writeAll(device, file, position, bytes),
    sync: async () => found(device, 'fsync', file.sync()),
    [Symbol.asyncDispose]: async () => file.close(),
  };
}

async function writeAll(
  device: string,
  file: FileHandle,
  position: number,
  bytes: Uint8Array,
): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await found(
      device,
      'write',
      file.write(bytes, done, bytes.byteLength - done, position + done),
    );
    done += bytesWritten;
  }
}

/**
 * Writes a restored header so that at every moment the old one or the new one is whole:
 *
 * 1. keyslots, where the old header has none: the old header does not notice
 * 2. the first copy: while it is torn, the second copy is valid, and it is the old header's
 * 3. the second copy: while it is torn, the first copy is valid, and it is the new header's
 * 4. `prove` loads it from the device; when that fails, the old copies are put back in the same order
 * 5. what is left of old keyslots is overwritten
 *
 * @param old what is on the device: its keyslots, and both copies as they are to be put back.
 */
export async function writeCandidate(
  target: HeaderTarget,
  candidate: Candidate,
  old: { readonly disk: Buffer; readonly before: Buffer },
  prove: () => Promise<void>,
): Promise<void> {
  const { primary, secondary, keyslots, stale } = candidate;
  for (const { offset, bytes } of keyslots) {
    const place = Number(offset);
    if (!old.disk.subarray(place, place + bytes.length).equals(bytes)) await target.write(place, bytes);
  }
  // A device may keep writes back in any order: no copy of the new header before the keyslots that it names.
  await target.sync();
  try {
    await writeCopies(target, primary, secondary);
    await prove();
  } catch (error) {
    const [first, second] = [old.before.subarray(0, primary.length), old.before.subarray(primary.length)];
    await undo(() => writeCopies(target, first, second), error);
    throw error;
  }
  for (const { offset, sizeBytes } of stale) {
    await target.write(Number(offset), randomFillSync(Buffer.alloc(Number(sizeBytes))));
  }
  await target.sync();
}

async function writeCopies(target: HeaderTarget, primary: Buffer, secondary: Buffer): Promise<void> {
  await target.write(0, primary);
  // Both torn at once would leave no header at all.
  await target.sync();
  await target.write(primary.length, secondary);
  await target.sync();
}

/** A device that refuses one write may well refuse the next; both are told then. */
async function undo(task: () => Promise<void>, reason: unknown): Promise<void> {
  try {
    await task();
  } catch (error) {
    const device = error instanceof LuksError ? error.device : '';
    const both = new AggregateError([reason, error]);
    const message = `${device}: the header could be neither written nor put back`;
    throw new LuksError('ERR_LUKS_FAILED', device, codeOf(error) ?? '', message, { cause: both });
  }
}
