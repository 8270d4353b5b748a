import { codeOf } from '@nodecore/sys';

import { callsWithin, type DeviceCalls } from './device-calls.ts';
import { DeviceFile } from './device-file.ts';
import { usersOf } from './device-users.ts';
import { BlockError } from './errors.ts';
import { firstNonZero } from './gpt-header.ts';
import { type Edges, isInterruptedTable } from './interrupted-table.ts';
import { patiently } from './patiently.ts';
import { probe } from './probe.ts';

/** The answer to "may this be formatted?": yes, or everything that speaks against it. */
export type Emptiness =
  | { readonly empty: true }
  | { readonly empty: false; readonly reasons: readonly string[] };

export type EmptinessOptions = {
  readonly signal?: AbortSignal;
  /** How long one call on the device may take, from when it begins; as long as it takes unless given. */
  readonly deadlineMs?: number;
};

const edgeBytes = 1n << 20n;

/**
 * Proves that a block device or a plain file holds nothing. Not knowing is no proof: whatever can't be read or asked
 * makes the device not empty, with the reason.
 *
 * A device is empty when nobody uses it (it opens exclusively; the kernel has no partitions or holders of it, no mount,
 * no swap, no loop device on it), every byte of its first and its last MiB was read from the medium and is zero, and
 * libblkid finds no signature of any kind. The remains of the interrupted creation of an empty GUID partition table
 * count as zeros on a whole disk.
 *
 * Needs root for block devices. Reads can't be interrupted; the signal is looked at between them.
 *
 * @throws {BlockError} `ERR_BLOCK_UNRESPONSIVE`: a call, or one of an earlier reading, does not return.
 */
export async function emptiness(path: string, options: EmptinessOptions = {}): Promise<Emptiness> {
  const { signal, deadlineMs } = options;
  signal?.throwIfAborted();
  const calls = callsWithin(deadlineMs);
  return await patiently(path, calls, () => prove(path, calls, signal));
}

async function prove(
  path: string,
  calls: DeviceCalls | undefined,
  signal: AbortSignal | undefined,
): Promise<Emptiness> {
  const reasons: string[] = [];
  let device: DeviceFile;
  try {
    device = await DeviceFile.open(path, { exclusive: true, calls });
  } catch (error) {
    if (codeOf(error) !== 'ERR_BLOCK_BUSY') return { empty: false, reasons: [reasonOf(error)] };
    reasons.push('somebody has it open for exclusive use');
    device = await DeviceFile.open(path, { calls });
  }
  await using opened = device;
  reasons.push(...(await findings(opened, signal)));
  return reasons.length === 0 ? { empty: true } : { empty: false, reasons };
}

/**
 * The same proof on a device that the caller has opened for exclusive use and keeps open while it acts on the answer.
 *
 * @throws {BlockError} `ERR_BLOCK_NOT_EMPTY` with every reason.
 */
export async function requireEmpty(device: DeviceFile, signal?: AbortSignal): Promise<void> {
  const reasons = await findings(device, signal);
  if (reasons.length === 0) return;
  throw notEmpty(device.path, reasons);
}

/** Opens for exclusive use; whoever has the device now is a reason why it is not empty. */
export async function openUnused(
  path: string,
  options: { readonly write?: boolean } = {},
): Promise<DeviceFile> {
  try {
    return await DeviceFile.open(path, { ...options, exclusive: true });
  } catch (error) {
    if (codeOf(error) !== 'ERR_BLOCK_BUSY') throw error;
    const found = await emptiness(path);
    throw notEmpty(path, found.empty ? ['somebody had it open for exclusive use'] : found.reasons);
  }
}

function notEmpty(path: string, reasons: readonly string[]): BlockError {
  return new BlockError('ERR_BLOCK_NOT_EMPTY', path, `${path} is not empty: ${reasons.join('; ')}`, {
    reasons,
  });
}

async function findings(device: DeviceFile, signal: AbortSignal | undefined): Promise<string[]> {
  return [...(await usersOf(device)), ...(await contentOf(device, signal))];
}

/** The device holds nothing but the beginning of an empty table whose creation broke off. */
export async function isInterruptedCreation(device: DeviceFile): Promise<boolean> {
  if (device.isPartition || device.sizeBytes === 0n) return false;
  return isInterruptedTable(await readEdges(device));
}

async function contentOf(device: DeviceFile, signal: AbortSignal | undefined): Promise<string[]> {
  if (device.sizeBytes === 0n) return ['it has no size'];
  try {
    await device.dropCache();
    const edges = await readEdges(device);
    signal?.throwIfAborted();
    const interrupted = !device.isPartition && isInterruptedTable(edges);
    const written = interrupted ? [] : writtenBytes(edges);
    return [...written, ...(await signaturesOf(device, interrupted, signal))];
  } catch (error) {
    signal?.throwIfAborted();
    if (codeOf(error) === 'ERR_BLOCK_UNRESPONSIVE') throw error; // it may answer later: that is no finding
    return [reasonOf(error)];
  }
}

async function readEdges(device: DeviceFile): Promise<Edges> {
  const { sizeBytes, sectorSize } = device;
  const length = Number(sizeBytes < edgeBytes ? sizeBytes : edgeBytes);
  const first = await device.read(0n, length);
  const last = await device.read(sizeBytes - BigInt(length), length);
  return { first, last, sizeBytes, sectorSize };
}

function writtenBytes({ first, last, sizeBytes }: Edges): string[] {
  const inFirst = firstNonZero(first);
  const inLast = firstNonZero(last);
  return [
    ...(inFirst === undefined ? [] : [`its first MiB has data at byte ${inFirst}`]),
    ...(inLast === undefined
      ? []
      : [`its last MiB has data at byte ${sizeBytes - BigInt(last.length) + BigInt(inLast)}`]),
  ];
}

/** Every signature counts, also those that libblkid would not rest its verdict on. */
async function signaturesOf(
  device: DeviceFile,
  interrupted: boolean,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { name, signatures } = await probe(device.path, {
    ...(signal === undefined ? {} : { signal }),
    deadlineMs: device.calls?.deadlineMs,
  });
  const found = signatures.filter(({ type }) => !(interrupted && type === 'gpt'));
  if (found.length > 0)
    return found.map(({ type, offset }) => `it has a signature of ${type} at byte ${offset}`);
  return name === '' || (interrupted && name === 'gpt') ? [] : [`libblkid takes it for ${name}`];
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
