import { readAt } from './device.ts';
import { LuksError } from './errors.ts';
import { checkBackup } from './header-backup-check.ts';
import { makeCandidate } from './header-candidate.ts';
import { type HeaderCopies, judgeCopies } from './header-copies.ts';
import { proveCandidate, proveOnDevice } from './header-proof.ts';
import { openTarget, writeCandidate } from './header-write.ts';
import { checkAttempt, type KeyAttempt } from './key.ts';
import { loadHandle } from './load.ts';
import { exclusively } from './queue.ts';

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
  return await exclusively({ device, signal }, async () => {
    const { backup, copies, present } = await checkBackup(device, from, options.expectUuid);
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
  });
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

/** The highest sequence number on the device, written by us or not: the library follows it. */
function highestSequence({ primary, secondary }: HeaderCopies): bigint {
  const [one, other] = [primary, secondary].map((copy) => ('sequence' in copy ? copy.sequence : 0n));
  return (one ?? 0n) > (other ?? 0n) ? (one ?? 0n) : (other ?? 0n);
}
