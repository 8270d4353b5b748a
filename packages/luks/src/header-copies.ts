import { open } from 'node:fs/promises';

import { found } from './device.ts';
import { LuksError } from './errors.ts';
import {
  type CopyPlace,
  copySizes,
  type HeaderCopy,
  readBlock,
  readCopy,
  type ValidCopy,
} from './header-copy.ts';

/** Nearly every header has copies of this size. */
const smallestCopyBytes = 0x4000;

/** Where header bytes come from; answers fewer bytes than asked for where the source ends. */
export type HeaderSource = (position: number, sizeBytes: number) => Promise<Buffer>;

export type HeaderCopies = { readonly primary: HeaderCopy; readonly secondary: HeaderCopy };

/**
 * - `consistent`: both copies are valid and say the same
 * - `repairable`: one is valid; the other is damaged, missing or older
 * - `conflicting`: both are valid and claim to be equally new, but say different things. No crash does that.
 * - `damaged`: there is, or was, a header, but no copy is valid
 * - `none`: nothing of LUKS2 is there
 */
export type HeaderVerdict = 'consistent' | 'repairable' | 'conflicting' | 'damaged' | 'none';

/** Reads both copies with our own reader. */
export async function readCopies(source: HeaderSource): Promise<HeaderCopies> {
  const primary = await copyAt(source, 'primary', 0);
  if (primary.state === 'valid') {
    return { primary, secondary: await copyAt(source, 'secondary', primary.sizeBytes) };
  }
  // Nobody says where the second copy begins: it is looked for wherever it may.
  let secondary: HeaderCopy = { state: 'missing' };
  for (const position of copySizes) {
    const candidate = await copyAt(source, 'secondary', position);
    if (candidate.state === 'valid') return { primary, secondary: candidate };
    if (candidate.state === 'damaged' && secondary.state === 'missing') secondary = candidate;
  }
  return { primary, secondary };
}

async function copyAt(source: HeaderSource, place: CopyPlace, position: number): Promise<HeaderCopy> {
  let bytes = await source(position, smallestCopyBytes);
  const block = readBlock(bytes, place, position);
  if (block === undefined) return { state: 'missing' };
  if (typeof block === 'string') return { state: 'damaged', reason: block };
  if (bytes.length < block.sizeBytes) bytes = await source(position, block.sizeBytes);
  return readCopy(block, bytes.subarray(0, block.sizeBytes));
}

/** What two copies come to, and the one that holds. */
export function judgeCopies({ primary, secondary }: HeaderCopies): {
  readonly verdict: HeaderVerdict;
  /** The copy that a reader uses; undefined where none can be trusted. */
  readonly newest?: ValidCopy;
} {
  if (primary.state === 'valid' && secondary.state === 'valid') {
    if (primary.sequence > secondary.sequence) return { verdict: 'repairable', newest: primary };
    if (primary.sequence < secondary.sequence) return { verdict: 'repairable', newest: secondary };
    return saySame(primary, secondary)
      ? { verdict: 'consistent', newest: primary }
      : { verdict: 'conflicting' };
  }
  if (primary.state === 'valid') return { verdict: 'repairable', newest: primary };
  if (secondary.state === 'valid') return { verdict: 'repairable', newest: secondary };
  const isNone = primary.state === 'missing' && secondary.state === 'missing';
  return { verdict: isNone ? 'none' : 'damaged' };
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
  const start = await read(0, 2 * smallestCopyBytes);
  return await readCopies(async (position, sizeBytes) => {
    const end = position + sizeBytes;
    return end <= start.length ? start.subarray(position, end) : read(position, sizeBytes);
  });
}

/** Reads what is in memory already: a backup. */
export async function readBytesCopies(bytes: Uint8Array): Promise<HeaderCopies> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return await readCopies(async (position, sizeBytes) => buffer.subarray(position, position + sizeBytes));
}
