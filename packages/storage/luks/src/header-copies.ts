import { open } from 'node:fs/promises';

import { deviceFacts, found } from './device.ts';
import { LuksError } from './errors.ts';
import {
  type CopyPlace,
  copySizes,
  type HeaderCopy,
  type InvalidCopy,
  readBlock,
  readCopy,
  type ValidCopy,
  versionOne,
} from './header-copy.ts';
import { keyslotsEnd, whyInvalid } from './header-rules.ts';

/** Nearly every header has copies of this size. */
const smallestCopyBytes = 0x4000;

/** Where header bytes come from; answers fewer bytes than asked for where the source ends. */
export type HeaderSource = (position: number, sizeBytes: number) => Promise<Buffer>;

export type HeaderCopies = { readonly primary: HeaderCopy; readonly secondary: HeaderCopy };

/**
 * - `consistent`: both copies are valid and say the same
 * - `repairable`: one is valid; the other is damaged, invalid, missing or older
 * - `conflicting`: both are valid and claim to be equally new, but say different things. No crash does that.
 * - `invalid`: no copy is valid, and one has a checksum that is right: somebody wrote what no program loads
 * - `damaged`: there is, or was, a header, but no copy is valid
 * - `luks1`: a header of version 1, which this package does not read
 * - `none`: nothing of LUKS is there
 */
export type HeaderVerdict =
  | 'consistent'
  | 'repairable'
  | 'conflicting'
  | 'invalid'
  | 'damaged'
  | 'luks1'
  | 'none';

/** Reads both copies with our own reader. */
export async function readCopies(source: HeaderSource): Promise<HeaderCopies> {
  const primary = await copyAt(source, 'primary', 0);
  if (isWhole(primary)) {
    const known = primary.state === 'valid' ? primary : undefined;
    return { primary, secondary: await copyAt(source, 'secondary', primary.sizeBytes, known) };
  }
  // Nobody says where the second copy begins: it is looked for wherever it may. As the library does, the first that is whole is
  // taken.
  let secondary: HeaderCopy = { state: 'missing' };
  for (const position of copySizes) {
    const candidate = await copyAt(source, 'secondary', position);
    if (isWhole(candidate)) return { primary, secondary: candidate };
    if (candidate.state === 'damaged' && secondary.state === 'missing') secondary = candidate;
  }
  return { primary, secondary };
}

/** Whether a checksum is right: only then a copy says how long it is. */
function isWhole(copy: HeaderCopy): copy is ValidCopy | InvalidCopy {
  return copy.state === 'valid' || copy.state === 'invalid';
}

/** @param known a valid copy: another one that says the same needs no second look at what it says. */
async function copyAt(
  source: HeaderSource,
  place: CopyPlace,
  position: number,
  known?: ValidCopy,
): Promise<HeaderCopy> {
  let bytes = await source(position, smallestCopyBytes);
  const block = readBlock(bytes, place, position);
  if (block === undefined) return { state: 'missing' };
  if (typeof block === 'string') return { state: 'damaged', reason: block };
  if (bytes.length < block.sizeBytes) bytes = await source(position, block.sizeBytes);
  const copy = readCopy(block, bytes.subarray(0, block.sizeBytes));
  if (copy.state === 'valid' && known !== undefined && saySame(known, copy)) return copy;
  const reason = copy.state === 'valid' ? whyInvalid(copy.json, copy.sizeBytes) : undefined;
  return copy.state !== 'valid' || reason === undefined ? copy : { ...copy, state: 'invalid', reason };
}

/** Why no copy is valid, of those whose checksum is right. */
export function reasonsOf({ primary, secondary }: HeaderCopies): string {
  const reasons = [primary, secondary].map((copy) => (copy.state === 'invalid' ? copy.reason : ''));
  return [...new Set(reasons.filter((reason) => reason !== ''))].join('; ');
}

/** What two copies come to, and the one that holds. */
export function judgeCopies({ primary, secondary }: HeaderCopies): {
  readonly verdict: HeaderVerdict;
  /** The copy that a reader uses; undefined where none can be trusted. */
  readonly newest?: ValidCopy;
} {
  // Whatever follows it: a second copy of LUKS2 may be left from before.
  if (primary.state === 'damaged' && primary.reason === versionOne) return { verdict: 'luks1' };
  if (primary.state === 'valid' && secondary.state === 'valid') {
    if (primary.sequence > secondary.sequence) return { verdict: 'repairable', newest: primary };
    if (primary.sequence < secondary.sequence) return { verdict: 'repairable', newest: secondary };
    return saySame(primary, secondary)
      ? { verdict: 'consistent', newest: primary }
      : { verdict: 'conflicting' };
  }
  if (primary.state === 'valid') return { verdict: 'repairable', newest: primary };
  if (secondary.state === 'valid') return { verdict: 'repairable', newest: secondary };
  const states = [primary.state, secondary.state];
  if (states.includes('invalid')) return { verdict: 'invalid' };
  return { verdict: states.every((state) => state === 'missing') ? 'none' : 'damaged' };
}

function saySame(one: ValidCopy, other: ValidCopy): boolean {
  return (['json', 'uuid', 'label', 'subsystem', 'sizeBytes', 'checksum'] as const).every(
    (name) => one[name] === other[name],
  );
}

/** Two copies that claim to be equally new and differ. */
export function conflicting(device: string): LuksError {
  return new LuksError(
    'ERR_LUKS_MISMATCH',
    device,
    '',
    `${device}: the copies of the LUKS2 header contradict each other, which no crash leaves behind; ` +
      'it takes a backup and header.restore to trust it again',
  );
}

/** Reads a device or a file. Both copies of a header of the usual size take one read. */
export async function readDeviceCopies(device: string): Promise<HeaderCopies> {
  await using file = await found(device, 'open', open(device, 'r'));
  const read = async (position: number, sizeBytes: number): Promise<Buffer> => {
    const buffer = Buffer.allocUnsafe(sizeBytes);
    const { bytesRead } = await found(device, 'read', file.read(buffer, 0, sizeBytes, position));
    return buffer.subarray(0, bytesRead);
  };
  const facts = deviceFacts(device); // beside the read
  facts.catch(() => {}); // it may fail first
  const start = await read(0, 2 * smallestCopyBytes);
  const copies = await readCopies(async (position, sizeBytes) => {
    const end = position + sizeBytes;
    return end <= start.length ? start.subarray(position, end) : read(position, sizeBytes);
  });
  const { newest } = judgeCopies(copies);
  if (newest === undefined) return copies;
  const end = keyslotsEnd(newest.json, newest.sizeBytes);
  const { sizeBytes } = await facts;
  if (end <= sizeBytes) return copies;
  // The library does not fall back to the other copy then.
  const reason = `its keyslots end at byte ${end}, the device at ${sizeBytes}`;
  const cut = (copy: HeaderCopy): HeaderCopy =>
    copy.state === 'valid' ? { ...copy, state: 'invalid', reason } : copy;
  return { primary: cut(copies.primary), secondary: cut(copies.secondary) };
}

/** Reads what is in memory already: a backup. */
export async function readBytesCopies(bytes: Uint8Array): Promise<HeaderCopies> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return await readCopies(async (position, sizeBytes) => buffer.subarray(position, position + sizeBytes));
}
