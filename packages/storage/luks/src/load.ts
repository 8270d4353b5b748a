import { CRYPT_LUKS2 } from './constants.ts';
import { deviceFacts } from './device.ts';
import { LuksError, type LuksErrorCode, refusedWhole } from './errors.ts';
import { type Expectation, refuseUnexpected } from './expectation.ts';
import { Handle } from './handle.ts';
import { conflicting, judgeCopies, readDeviceCopies, reasonsOf } from './header-copies.ts';
import { type HeaderFacts, parseHeaderJson } from './header-json.ts';
import { refuseForeign } from './header-trust.ts';
import { withDebugLines } from './log.ts';
import { readSignature, type Signature } from './signature.ts';

/** LUKS2 specification 2.1: two copies of at least 16 KiB. */
const smallestHeaderBytes = 32n << 10n;

/**
 * Opens a device and loads its LUKS2 header, or throws the error that says what the device is instead. Loading repairs
 * a copy that is damaged; `crypt_repair` does so even where the disk also carries the signature of something else.
 */
export async function loadHandle(
  device: string,
  load: 'crypt_load' | 'crypt_repair' = 'crypt_load',
): Promise<Handle> {
  try {
    const handle = await Handle.open(device);
    const status = await handle.call(load, CRYPT_LUKS2, null);
    if (status >= 0) return handle;
    const error = handle.error(load, status);
    await handle[Symbol.asyncDispose]();
    throw error;
  } catch (error) {
    throw await explain(device, error);
  }
}

/**
 * The library says EINVAL for a device that is missing, that has no header, the header of another version, or a damaged
 * one, and EIO for a device that is shorter than what it wants to read. Size and magic numbers tell which it is.
 */
async function explain(device: string, cause: unknown): Promise<unknown> {
  const { sizeBytes } = await deviceFacts(device);
  const isShort = sizeBytes < smallestHeaderBytes;
  if (!isShort && !(cause instanceof LuksError && cause.errno === 'EINVAL')) return cause;
  const signature = await readSignature(device);
  if (signature.startsWith('luks2')) {
    const copies = await readDeviceCopies(device);
    const { verdict, newest } = judgeCopies(copies);
    if (verdict === 'invalid') return refusedWhole(device, reasonsOf(copies), { cause });
    // We see nothing wrong with it: the library says what it looked at last.
    if (newest !== undefined) return refusedWhole(device, await libraryReason(device), { cause });
  }
  const [code, what] = meanings[signature];
  return new LuksError(code, device, 'EINVAL', `${device}: ${what}`, { cause });
}

/** Loads a header once more, and keeps the lines that the library logs, in which callers look for errors. */
async function libraryReason(device: string): Promise<string> {
  const { lines } = await withDebugLines(async () => {
    await using handle = await Handle.open(device);
    await handle.call('crypt_load', CRYPT_LUKS2, null);
  });
  // What it says between the sums of the last copy and its failure is what it found; the rest is what it does.
  const end = lines.findLastIndex((line) => line.startsWith('LUKS2 header read failed'));
  const begin = lines.slice(0, Math.max(0, end)).findLastIndex((line) => line.startsWith('Checksum:'));
  return [...new Set(lines.slice(begin + 1, Math.max(0, end)))].join(' ') || 'it does not say why';
}

const meanings: Readonly<Record<Signature, readonly [LuksErrorCode, string]>> = {
  none: ['ERR_LUKS_NOT_LUKS', 'no LUKS header'],
  luks1: ['ERR_LUKS_VERSION', 'LUKS version 1'],
  luks2: ['ERR_LUKS_DAMAGED', 'no valid copy of the LUKS2 header'],
  'luks2-secondary': ['ERR_LUKS_DAMAGED', 'no valid copy of the LUKS2 header'],
};

/** A header, and what its JSON does not say. */
export type ReadHeader = {
  readonly facts: HeaderFacts;
  readonly uuid: string;
  readonly label: string;
  readonly subsystem: string;
  readonly keySizeBits: number;
};

/**
 * Reads a header for callers that only want its contents. Two valid copies that agree need no library, which takes
 * its locks and computes what nobody asked for; anything else does, and is repaired as it loads.
 */
export async function readHeader(device: string): Promise<ReadHeader> {
  const { verdict, newest } = judgeCopies(await readDeviceCopies(device));
  if (verdict === 'consistent' && newest !== undefined) {
    const { uuid, label, subsystem } = newest;
    const facts = parseHeaderJson(device, newest.json);
    const keySizeBits = facts.keyslots.find(({ bound }) => bound)?.keySizeBits;
    if (keySizeBits !== undefined) return { facts, uuid, label, subsystem, keySizeBits };
  }
  using handle = await loadHandle(device);
  return describeHandle(handle);
}

/** What a handle has loaded. */
export function describeHandle(handle: Handle): ReadHeader {
  return {
    facts: readFacts(handle),
    uuid: handle.text('crypt_get_uuid'),
    label: handle.text('crypt_get_label'),
    subsystem: handle.text('crypt_get_subsystem'),
    keySizeBits: handle.volumeKeySizeBits,
  };
}

/** The facts of the header that a handle has loaded. */
export function readFacts(handle: Handle): HeaderFacts {
  return parseHeaderJson(handle.device, handle.headerJson());
}

/**
 * A handle whose header is one that we would have written, and the one that was expected.
 *
 * Our own reader looks first, because the library does not compare two copies that claim to be equally new. That look
 * proves nothing about what is used: a disk can answer every read with something else. So the header is judged after
 * the library has loaded it, by the JSON that the library itself writes out of its memory (`crypt_dump_json`). All that
 * follows on this handle works on that memory: activation and keyslots do not read the header again, and a change is refused
 * by the library when the disk's sequence number is no longer the one that was loaded.
 */
export async function loadTrusted(
  device: string,
  expected: Expectation = {},
): Promise<{ handle: Handle; facts: HeaderFacts }> {
  if (judgeCopies(await readDeviceCopies(device)).verdict === 'conflicting') throw conflicting(device);
  const handle = await loadHandle(device);
  try {
    const { facts, uuid, label, keySizeBits } = describeHandle(handle);
    refuseForeign(device, facts);
    const { cipher, sectorSize } = facts;
    refuseUnexpected(device, { cipher, keySizeBits, sectorSize, uuid, label }, expected);
    return { handle, facts };
  } catch (error) {
    await handle[Symbol.asyncDispose]();
    throw error;
  }
}
