import { readFile, stat } from 'node:fs/promises';

import { deviceFacts, found, readAt } from './device.ts';
import { LuksError } from './errors.ts';
import { makeCandidate, type WholeHeader } from './header-candidate.ts';
import { type HeaderCopies, judgeCopies, readBytesCopies, readDeviceCopies } from './header-copies.ts';
import { parseHeaderJson } from './header-json.ts';
import { proveCandidate, proveOnDevice } from './header-proof.ts';
import { refuseForeign } from './header-trust.ts';
import { openTarget, writeCandidate } from './header-write.ts';
import { checkAttempt, type KeyAttempt } from './key.ts';
import { keyslotRegion } from './keyslot-area.ts';
import { loadHandle } from './load.ts';
import { exclusively } from './queue.ts';

/** Two copies of 4 MiB and 128 MiB of keyslots, the most that the library makes, and as much again. */
const largestBackupBytes = 272 << 20;

export type RestoreOptions = {
  /**
   * UUID that the backup must have. Without it the device must have a valid header that we would open, and the backup
   * must be of that same volume.
   */
  readonly expectUuid?: string;
  /** Must open the backup: tried before anything is written. Without it nothing says that the backup can be opened. */
  readonly key?: KeyAttempt;
  /** Looked at until the first write. */
  readonly signal?: AbortSignal;
};

export type HeaderRestore = {
  readonly uuid: string;
  /** Keyslots that lie elsewhere than they did in the backup, so that nothing in use was overwritten. */
  readonly moved: readonly number[];
};

/**
 * Puts a backup of a header and its keyslots back on the device.
 *
 * Everything is checked before the first write: that the backup is a valid LUKS2 header by our own reader and by the
 * library, one that we would open, of this volume (UUID, volume key, segment), and fits. Then, with an fsync after each
 * step: the keyslots go where no keyslot of the present header lies, the first copy of the header is replaced, then the
 * second, with a sequence number above both. Whenever that is interrupted, either the header that was there is whole
 * with all its keyslots, or the restored one is. At the end it is loaded from the device; when that fails, the header
 * that was there is put back. What is left of keyslots that the backup does not have is overwritten last.
 *
 * @param from a file, or its bytes.
 * @throws {LuksError} `ERR_LUKS_BACKUP` for a backup that is none, or not this volume's; `ERR_LUKS_FULL` when there is
 *   no room for both sets of keyslots; `ERR_LUKS_KEY_REJECTED` when `key` does not open it. Nothing is written then.
 */
export async function restore(
  device: string,
  from: string | Uint8Array,
  options: RestoreOptions = {},
): Promise<HeaderRestore> {
  const { key, signal } = options;
  if (key !== undefined) checkAttempt(device, key);
  return await exclusively(async () => {
    const bytes = typeof from === 'string' ? await readBackupFile(device, from) : from;
    const backup = await readBackup(device, bytes);
    const copies = await readDeviceCopies(device);
    const present = presentHeader(device, copies);
    refuseOtherVolume(device, backup, present, options.expectUuid);
    await refuseMisfit(device, backup);
    const sequence = highestSequence(copies);
    const disk = await readAt(device, 0, backup.bytes.length);
    const candidate = makeCandidate(device, backup, present?.facts, { disk, sequence });
    await proveCandidate(device, candidate, key);
    signal?.throwIfAborted();
    if (judgeCopies(copies).verdict === 'repairable') await repairPresent(device);
    const before = await readAt(device, 0, candidate.primary.length + candidate.secondary.length);
    await using target = await openTarget(device);
    await writeCandidate(target, candidate, { disk, before }, () => proveOnDevice(device, candidate));
    return { uuid: backup.copy.uuid, moved: candidate.moved };
  }, signal);
}

/** A file given by mistake may be a whole disk. */
async function readBackupFile(device: string, file: string): Promise<Buffer> {
  const { size } = await found(file, 'stat', stat(file));
  if (size > largestBackupBytes) throw refused(device, `${file} has ${size} bytes, which no header has`);
  return await found(file, 'read', readFile(file));
}

/** Reads a backup with our own reader. One valid copy is enough: both are written anew. */
async function readBackup(device: string, bytes: Uint8Array): Promise<WholeHeader> {
  const { newest } = judgeCopies(await readBytesCopies(bytes));
  if (newest === undefined) throw refused(device, 'it holds no valid copy of a LUKS2 header');
  let facts;
  try {
    facts = parseHeaderJson(device, newest.json);
    refuseForeign(device, facts);
  } catch (error) {
    throw refused(device, 'its header is none that would be opened', error);
  }
  const region = keyslotRegion(facts);
  const end = region.offset + region.sizeBytes;
  if (facts.jsonSizeBytes + 4096n !== BigInt(newest.sizeBytes) || end > facts.dataOffset) {
    throw refused(device, 'its areas do not follow one another');
  }
  if (BigInt(bytes.byteLength) < end) throw refused(device, `it is cut off before its end at ${end}`);
  for (const { slot, offset, sizeBytes } of facts.areas) {
    if (offset < region.offset || offset + sizeBytes > end)
      throw refused(device, `keyslot ${slot} is not in it`);
  }
  return { copy: newest, facts, bytes: Buffer.from(bytes).subarray(0, Number(end)) };
}

/** The header that a restore replaces. */
type Present = Omit<WholeHeader, 'bytes'>;

/** The header that is on the device; undefined where there is none that we would open. */
function presentHeader(device: string, copies: HeaderCopies): Present | undefined {
  const { newest } = judgeCopies(copies);
  if (newest === undefined) return undefined;
  try {
    const facts = parseHeaderJson(device, newest.json);
    refuseForeign(device, facts);
    return { copy: newest, facts };
  } catch (error) {
    if (error instanceof LuksError) return undefined;
    throw error;
  }
}

/**
 * Has the library make a damaged copy anew: the one copy that is valid must not be the first that is written. Where the
 * library can't load the header, nobody opens the volume by it, and there is nothing to keep.
 */
async function repairPresent(device: string): Promise<void> {
  try {
    await (await loadHandle(device))[Symbol.asyncDispose]();
  } catch (error) {
    if (!(error instanceof LuksError)) throw error;
  }
}

/** The highest sequence number on the device, whoever wrote it: the library follows it. */
function highestSequence({ primary, secondary }: HeaderCopies): bigint {
  const [one, other] = [primary, secondary].map((copy) => (copy.state === 'valid' ? copy.sequence : 0n));
  return (one ?? 0n) > (other ?? 0n) ? (one ?? 0n) : (other ?? 0n);
}

function refuseOtherVolume(
  device: string,
  backup: WholeHeader,
  present: Present | undefined,
  expectUuid: string | undefined,
): void {
  const { uuid } = backup.copy;
  if (expectUuid !== undefined && uuid.toLowerCase() !== expectUuid.toLowerCase()) {
    throw refused(device, `its UUID is ${uuid}, not ${expectUuid}`);
  }
  if (present === undefined) {
    if (expectUuid !== undefined) return;
    throw refused(device, 'the device has no valid header to compare it with, and no UUID was expected');
  }
  if (expectUuid === undefined && uuid !== present.copy.uuid) {
    throw refused(device, `its UUID is ${uuid}, the volume's is ${present.copy.uuid}`);
  }
  const difference = differenceOf(backup, present);
  if (difference !== undefined) throw refused(device, `it has another ${difference} than the volume`);
}

/** What a change of keys never changes, and what both must share so that they fit side by side. */
function differenceOf(backup: Present, present: Present): string | undefined {
  const facts = {
    'data offset': (header: Present) => header.facts.dataOffset,
    'data size': (header: Present) => header.facts.dataSizeBytes,
    cipher: (header: Present) => header.facts.cipher,
    'sector size': (header: Present) => header.facts.sectorSize,
    'header size': (header: Present) => header.copy.sizeBytes,
    'keyslot area': (header: Present) => header.facts.keyslotsSizeBytes,
    'volume key': (header: Present) => header.facts.digests.find(({ bound }) => bound)?.value,
  };
  return Object.entries(facts).find(([, of]) => of(backup) !== of(present))?.[0];
}

async function refuseMisfit(device: string, { facts }: WholeHeader): Promise<void> {
  const { sizeBytes } = await deviceFacts(device);
  const needed = facts.dataOffset + (facts.dataSizeBytes ?? BigInt(facts.sectorSize));
  if (needed > sizeBytes) throw refused(device, `it needs ${needed} bytes, and the device has ${sizeBytes}`);
}

function refused(device: string, what: string, cause?: unknown): LuksError {
  const options = cause === undefined ? undefined : { cause };
  return new LuksError('ERR_LUKS_BACKUP', device, '', `header backup for ${device}: ${what}`, options);
}
