import { readFile, stat } from 'node:fs/promises';

import { deviceFacts, found } from './device.ts';
import { LuksError } from './errors.ts';
import type { WholeHeader } from './header-candidate.ts';
import {
  type HeaderCopies,
  judgeCopies,
  readBytesCopies,
  readDeviceCopies,
  reasonsOf,
} from './header-copies.ts';
import { parseHeaderJson, requirementsOf } from './header-json.ts';
import { refuseForeign } from './header-trust.ts';
import { keyslotRegion } from './keyslot-area.ts';

/** Two copies of 4 MiB and 128 MiB of keyslots, the most that the library makes, and as much again. */
const largestBackupBytes = 272 << 20;

/** The header that is on a device. */
export type Present = Omit<WholeHeader, 'bytes'>;

/** A backup that may be put back on a device, and what is there now. */
export type Checked = {
  readonly backup: WholeHeader;
  readonly copies: HeaderCopies;
  /** Undefined where there is no header that we would open. */
  readonly present: Present | undefined;
};

/**
 * Reads a backup and the device that it is for, and refuses what must not be put back there. Nothing is written.
 *
 * @param from a file, or its bytes.
 * @throws {LuksError} `ERR_LUKS_BACKUP`.
 */
export async function checkBackup(
  device: string,
  from: string | Uint8Array,
  expectUuid: string | undefined,
): Promise<Checked> {
  const bytes = typeof from === 'string' ? await readBackupFile(device, from) : from;
  const backup = await readBackup(device, bytes);
  const copies = await readDeviceCopies(device);
  const present = presentHeader(device, copies);
  refuseOtherVolume(device, backup, present, expectUuid);
  refuseUnfinished(device, copies);
  await refuseMisfit(device, backup);
  return { backup, copies, present };
}

/** A file given by mistake may be a whole disk. */
async function readBackupFile(device: string, file: string): Promise<Buffer> {
  const { size } = await found(file, 'stat', stat(file));
  if (size > largestBackupBytes) throw refused(device, `${file} has ${size} bytes, which no header has`);
  return await found(file, 'read', readFile(file));
}

/** Reads a backup with our own reader. One valid copy is enough: both are written anew. */
async function readBackup(device: string, bytes: Uint8Array): Promise<WholeHeader> {
  const copies = await readBytesCopies(bytes);
  const { newest } = judgeCopies(copies);
  if (newest === undefined) {
    const reasons = reasonsOf(copies);
    throw refused(device, `it holds no valid copy of a LUKS2 header${reasons && `: ${reasons}`}`);
  }
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
 * A program that re-encrypts the volume keeps its progress in the header, and data that it has done needs a key that no
 * backup has.
 */
function refuseUnfinished(device: string, copies: HeaderCopies): void {
  const { newest } = judgeCopies(copies);
  // Without a valid copy those that we hold for invalid count: a later version may keep its progress in ways that we do not know.
  const last = newest === undefined ? [copies.primary, copies.secondary] : [newest];
  const texts = last.map((copy) => ('json' in copy ? copy.json : ''));
  if (texts.some((text) => requirementsOf(text).some((name) => name.includes('reencrypt'))))
    throw refused(device, 'the volume is being re-encrypted; finish that with the program that began it');
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
