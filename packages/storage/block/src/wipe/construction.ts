import { ioctl } from '@nodecore/sys';

import {
  carriesMark,
  completeMarks,
  type ConstructionMark,
  eraseMarks,
  markPlaces,
  type Stretch,
  writeMarks,
} from '../content/construction-mark.ts';
import { callsWithin } from '../devices/device-calls.ts';
import { DeviceFile } from '../devices/device-file.ts';
import { withDiskLock } from '../devices/disk-lock.ts';
import { type MeantDisk, requireSequence } from '../devices/disk-sequence.ts';
import { openUnused, requireEmpty } from '../proof/emptiness.ts';
import { BlockError } from '../errors.ts';
import { patiently } from '../devices/patiently.ts';
import { eraseSignatures } from './wipe.ts';

export type { ConstructionMark } from '../content/construction-mark.ts';

export type ConstructionOptions = MeantDisk & {
  readonly mark: ConstructionMark;
  /** Tell the disk that nothing between the marks is needed; programs that make content would take the marks with it. */
  readonly discard?: boolean;
  readonly signal?: AbortSignal;
};

export type MarkedOptions = {
  /** How long one call on the device may take, from when it begins; as long as it takes unless given. */
  readonly deadlineMs?: number;
};

const BLKDISCARD = 0x1277;

/**
 * Puts a mark on a device that is proven empty right before: from then on what is on it is known to be of this attempt.
 *
 * @throws {BlockError} `ERR_BLOCK_NOT_EMPTY` with every reason, `ERR_BLOCK_NOT_FOUND`: it is another disk; nothing was written
 *   then.
 */
export function begin(path: string, options: ConstructionOptions): Promise<void> {
  const { signal } = options;
  return withDiskLock(
    path,
    async () => {
      await using device = await openUnused(path, { write: true });
      requireSequence(device, options);
      await requireEmpty(device, { signal });
      await writeMarks(device, all(device), options.mark);
      await discardBetween(device, options);
    },
    options,
  );
}

/**
 * Makes a device that carries the mark ready for another attempt: zeroes both ends and every signature. DESTROYS its content,
 * which the mark says is of an attempt that broke off. The mark itself is never gone in between.
 *
 * @throws {BlockError} `ERR_BLOCK_NOT_EMPTY`: the mark is not on it; `ERR_BLOCK_BUSY`, `ERR_BLOCK_NOT_FOUND`, `ERR_BLOCK_NOT_WIPED`.
 */
export function restart(path: string, options: ConstructionOptions): Promise<void> {
  const { mark, signal } = options;
  return withDiskLock(
    path,
    async () => {
      await using device = await DeviceFile.open(path, { write: true, exclusive: true });
      requireSequence(device, options);
      if (!(await carriesMark(device, all(device), mark))) throw unmarked(device, mark);
      await eraseSignatures(device, signal);
      await completeMarks(device, all(device), mark);
      await discardBetween(device, options);
    },
    options,
  );
}

/**
 * Whether a device carries the mark. It may be in use.
 *
 * @throws {BlockError} `ERR_BLOCK_UNRESPONSIVE`: a call, or one of an earlier reading, does not return.
 */
export function isMarked(
  path: string,
  mark: ConstructionMark,
  { deadlineMs }: MarkedOptions = {},
): Promise<boolean> {
  const calls = callsWithin(deadlineMs);
  return patiently(path, calls, async () => {
    await using device = await DeviceFile.open(path, { calls });
    return await carriesMark(device, all(device), mark);
  });
}

/** Takes the mark away where nothing was written over it. What was made may be open; nobody uses it yet. Again is fine. */
export function end(path: string, options: Omit<ConstructionOptions, 'discard'>): Promise<void> {
  return withDiskLock(
    path,
    async () => {
      await using device = await DeviceFile.open(path, { write: true });
      requireSequence(device, options);
      await device.sync(); // what was made is on the medium before nothing says any more that it may be torn
      await eraseMarks(device, all(device), options.mark);
    },
    options,
  );
}

/** What the device does not discard it keeps. */
async function discardBetween(
  device: DeviceFile,
  { discard = false }: Pick<ConstructionOptions, 'discard'>,
): Promise<void> {
  if (!discard || device.kernel === undefined) return;
  const places = markPlaces(all(device));
  for (const [index, place] of places.entries()) {
    const from = place + 4096n;
    const size = (places[index + 1] ?? from) - from;
    if (size <= 0n) continue;
    const { fd, path } = device;
    const range = new Uint8Array(new BigUint64Array([from, size]).buffer);
    try {
      await device.watched(() => ioctl({ fd, path, name: 'BLKDISCARD' }, BLKDISCARD, range));
    } catch {
      return;
    }
  }
}

function all({ sizeBytes }: DeviceFile): Stretch {
  return { offset: 0n, size: sizeBytes };
}

function unmarked({ path }: DeviceFile, { volumeId }: ConstructionMark): BlockError {
  const reasons = [`it does not carry the mark of ${volumeId}`];
  return new BlockError('ERR_BLOCK_NOT_EMPTY', path, `${path} is not wiped: ${reasons.join()}`, { reasons });
}
