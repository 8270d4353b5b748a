import { codeOf } from '@nodecore/sys';
import { type Clock, systemClock } from '@nodecore/waiting';

import { ContentProof } from './content-proof.ts';
import { callsWithin, type DeviceCalls } from '../devices/device-calls.ts';
import { inspectEdges } from './device-edges.ts';
import { DeviceFile } from '../devices/device-file.ts';
import { usersOf } from '../devices/device-users.ts';
import { type EmptinessReceipt, reasonsIn } from './receipt.ts';
import { BlockError } from '../errors.ts';
import { isInterruptedTable } from './interrupted-table.ts';
import { patiently } from '../devices/patiently.ts';
import { DeviceReader, type ProofReader } from './reader.ts';
import { proofLimitMs, ProofTime } from './time.ts';

/** The answer to "may this be formatted?": yes, or everything that speaks against it. The receipt says what it rests on. */
export type Emptiness =
  | { readonly empty: true; readonly receipt: EmptinessReceipt }
  | { readonly empty: false; readonly reasons: readonly string[]; readonly receipt: EmptinessReceipt };

export type EmptinessOptions = {
  readonly signal?: AbortSignal;
  /** How long one call on the device may take, from when it begins; as long as it takes unless given. */
  readonly deadlineMs?: number;
  /** The caller has wiped it, or opened a fresh mapping on it: only both ends and signatures count. */
  readonly wiped?: boolean;
  /**
   * A whole disk may have a GUID partition table without a partition, and marks of construction, which hold no data: these count as
   * zeros, and all else is looked at.
   */
  readonly emptyTable?: boolean;
  readonly clock?: Clock;
  /** Replaces the reads of everything but the first and the last MiB; tests inject slow ones. */
  readonly reader?: ProofReader;
};

export type RequireEmptyOptions = Pick<EmptinessOptions, 'clock' | 'reader'> & {
  readonly signal?: AbortSignal | undefined;
  /**
   * `ends`: the caller has wiped it, or it is free space of a table, where old data is nobody's any more: only both ends and
   * signatures of the whole count. `all` unless given.
   */
  readonly depth?: 'all' | 'ends' | undefined;
};

/**
 * Proves that a block device or a plain file holds nothing, as far as that can be known without reading all of it. Not
 * knowing is no proof: whatever can't be read or asked, or not in time, makes the device not empty, with the reason.
 *
 * A device is empty when nobody uses it (it opens exclusively; the kernel has no partitions or holders of it, no mount,
 * no swap, no loop device on it), and nothing is on it:
 *
 * - every byte of its first and its last MiB was read from the medium and is zero. The remains of the interrupted creation
 *   of an empty GUID partition table count as zeros on a whole disk;
 * - libblkid finds no signature, on the device nor where a partition may have begun: at 63 sectors, 1 MiB and 4 MiB, and
 *   where what is left of a table says;
 * - the places of backup superblocks and headers of ext4, xfs, btrfs, LUKS2, GPT, bluestore and NTFS are zero, for
 *   filesystems that began at one of these;
 * - 1024 windows of 4 KiB, one in each 1024th of it, are zero; all of it up to 18 MiB;
 * - of a plain file, and of a loop device on one, so is all that was ever written, up to 64 MiB of it; 1024 more windows where
 *   that is more.
 *
 * What it can miss: data that fills less than 1/512 of the device in one piece, and is at none of these places.
 *
 * It takes 1 s at most on a device without moving parts and 15 s on one that turns; what needs longer is not proven. Needs
 * root for block devices. Reads can't be interrupted; the signal is looked at between them.
 *
 * @throws {BlockError} `ERR_BLOCK_UNRESPONSIVE`: a call, or one of an earlier reading, does not return.
 */
export async function emptiness(path: string, options: EmptinessOptions = {}): Promise<Emptiness> {
  const { signal, deadlineMs } = options;
  signal?.throwIfAborted();
  const calls = callsWithin(deadlineMs);
  return await patiently(path, calls, () => prove(path, calls, options));
}

async function prove(
  path: string,
  calls: DeviceCalls | undefined,
  options: EmptinessOptions,
): Promise<Emptiness> {
  const users: string[] = [];
  let device: DeviceFile;
  try {
    device = await DeviceFile.open(path, { exclusive: true, calls });
  } catch (error) {
    if (codeOf(error) !== 'ERR_BLOCK_BUSY') return unopened(path, error, options);
    users.push('somebody has it open for exclusive use');
    device = await DeviceFile.open(path, { calls });
  }
  await using opened = device;
  const receipt = await receiptOf(opened, options.wiped === true ? 'ends' : 'all', options);
  return answer({ ...receipt, users: [...users, ...receipt.users] });
}

function answer(receipt: EmptinessReceipt): Emptiness {
  const reasons = reasonsIn(receipt);
  return reasons.length === 0 ? { empty: true, receipt } : { empty: false, reasons, receipt };
}

function unopened(path: string, error: unknown, { clock = systemClock }: EmptinessOptions): Emptiness {
  const why = error instanceof Error ? error.message : String(error);
  return answer({
    device: path,
    size: 0n,
    at: clock.now(),
    tookMs: 0,
    limitMs: 0,
    read: [],
    probedAt: [],
    backupsOf: [],
    map: { unknown: 'it was not opened' },
    users: [],
    found: [],
    unproven: [why],
    isLate: false,
  });
}

/**
 * The same proof on a device that the caller has opened for exclusive use and keeps open while it acts on the answer.
 *
 * @throws {BlockError} `ERR_BLOCK_NOT_EMPTY` with every reason; `ERR_BLOCK_UNPROVEN`: there was not enough time.
 */
export async function requireEmpty(
  device: DeviceFile,
  { signal, depth = 'all', ...options }: RequireEmptyOptions = {},
): Promise<EmptinessReceipt> {
  const receipt = await receiptOf(device, depth, { ...options, ...(signal === undefined ? {} : { signal }) });
  const reasons = reasonsIn(receipt);
  if (reasons.length === 0) return receipt;
  throw isOnlyLate(receipt) ? unproven(device.path, reasons) : notEmpty(device.path, reasons);
}

/** Opens for exclusive use; a device that is in use is not empty, with its user as the reason. */
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

/** Nothing speaks against it but the time. */
function isOnlyLate({ users, found, isLate }: EmptinessReceipt): boolean {
  return isLate && users.length === 0 && found.length === 0;
}

function unproven(path: string, reasons: readonly string[]): BlockError {
  const message = `${path} is not proven empty: ${reasons.join('; ')}`;
  return new BlockError('ERR_BLOCK_UNPROVEN', path, message, { reasons });
}

function notEmpty(path: string, reasons: readonly string[]): BlockError {
  return new BlockError('ERR_BLOCK_NOT_EMPTY', path, `${path} is not empty: ${reasons.join('; ')}`, {
    reasons,
  });
}

async function receiptOf(
  device: DeviceFile,
  depth: 'all' | 'ends',
  options: EmptinessOptions,
): Promise<EmptinessReceipt> {
  const { signal, clock = systemClock, emptyTable } = options;
  const time = new ProofTime(clock, proofLimitMs(device));
  using own = options.reader === undefined ? new DeviceReader(device, signal) : undefined;
  const reader = options.reader ?? own;
  if (reader === undefined) throw new TypeError('a proof reads by something');
  const users = await usersOf(device);
  const proof = new ContentProof(device, { reader, time, signal, emptyTable });
  // Who uses it forbids all; what is on it is told as far as that takes nothing from them.
  await proof.run(users.length > 0 ? 'ends' : depth);
  return {
    device: device.path,
    size: device.sizeBytes,
    at: time.begunAt,
    tookMs: time.tookMs,
    limitMs: time.limitMs,
    users,
    ...proof.findings,
  };
}

/** The device holds nothing but the beginning of an empty table whose creation broke off. */
export async function isInterruptedCreation(device: DeviceFile): Promise<boolean> {
  if (device.isPartition || device.sizeBytes === 0n) return false;
  return await inspectEdges(device, isInterruptedTable);
}
