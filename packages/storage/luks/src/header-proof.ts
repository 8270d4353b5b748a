import { open } from 'node:fs/promises';

import { LuksError } from './errors.ts';
import type { Candidate } from './header-candidate.ts';
import { judgeCopies, readDeviceCopies } from './header-copies.ts';
import { headerFile } from './header-file.ts';
import { openTarget } from './header-write.ts';
import { type KeyAttempt, keyRejected, tryKey } from './key.ts';
import { loadTrusted } from './load.ts';

/**
 * Has the library load a restored header before the device is touched, from a file that is removed again; with a key it
 * is opened, too.
 */
export async function proveCandidate(device: string, candidate: Candidate, key?: KeyAttempt): Promise<void> {
  await using file = await headerFile((path) => writeImage(path, candidate));
  const { handle, facts } = await loadTrusted(file.path, { uuid: candidate.uuid });
  await using _ = handle;
  if (key === undefined) return;
  const result = await tryKey(handle, facts, key);
  if (result.keyslot === undefined) throw result.refused ?? keyRejected(device);
}

async function writeImage(file: string, candidate: Candidate): Promise<void> {
  const { primary, secondary, keyslots, sizeBytes } = candidate;
  await using handle = await open(file, 'wx', 0o600);
  await handle.truncate(sizeBytes);
  await using target = await openTarget(file);
  await target.write(0, primary);
  await target.write(primary.length, secondary);
  for (const { offset, bytes } of keyslots) await target.write(Number(offset), bytes);
}

/** Has the library load the header that was just written, and our own reader both its copies. */
export async function proveOnDevice(device: string, { uuid }: Candidate): Promise<void> {
  const { verdict } = judgeCopies(await readDeviceCopies(device));
  if (verdict !== 'consistent') {
    throw new LuksError('ERR_LUKS_FAILED', device, '', `${device}: the restored header reads ${verdict}`);
  }
  const { handle } = await loadTrusted(device, { uuid });
  await handle[Symbol.asyncDispose]();
}
