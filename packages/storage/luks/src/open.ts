import { isSameDevice } from './device.ts';
import { LuksError, unsupported } from './errors.ts';
import type { Expectation } from './expectation.ts';
import {
  fromBits,
  headerBits,
  isPerformanceFlag,
  type MappingFlag,
  type PerformanceFlag,
  toBits,
} from './flags.ts';
import type { Handle } from './handle.ts';
import { checkAttempt, type KeyAttempt, keyRejected, tryKey } from './key.ts';
import { loadTrusted } from './load.ts';
import { call } from './log.ts';
import { exclusively } from './queue.ts';
import { checkName, readStatus } from './status.ts';
import { Volume } from './volume.ts';

export type OpenOptions = {
  /** Name of the mapping; it appears as `/dev/mapper/<name>`. */
  readonly name: string;
  /** Tried in order until one opens. They stay the caller's. */
  readonly keys: readonly KeyAttempt[];
  /** What the header must say: somebody may have replaced it. It is compared before a key is tried. */
  readonly expect?: Expectation;
  /** Passes discards down, which shows which parts of the device are unused. */
  readonly allowDiscards?: boolean;
  readonly performance?: readonly PerformanceFlag[];
  readonly readOnly?: boolean;
  /** A key derivation can't be interrupted; a mapping that it activates after the signal is undone. */
  readonly signal?: AbortSignal;
};

/**
 * Opens an encrypted device. Needs root and device-mapper.
 *
 * When the name is active on the same device with the same flags, a key is proved and the mapping is used as it is.
 * A mapping without a key at hand is looked at with `status`.
 *
 * @throws {LuksError} `ERR_LUKS_KEY_REJECTED` when no key opens; `ERR_LUKS_MEMORY` when keyslots were left out for want of
 *   memory and no other opened; `ERR_LUKS_MISMATCH` and `ERR_LUKS_UNSUPPORTED` for a header that is not trusted;
 *   `ERR_LUKS_BUSY` when the name or the device is in use.
 *
 * @example
 * await using volume = await luks.open('/dev/vdb', { name: 'data', keys: [{ key }] });
 */
export async function open(device: string, options: OpenOptions): Promise<Volume> {
  const { name, keys, signal } = options;
  checkName(name);
  if (keys.length === 0) throw new TypeError('open needs at least one key');
  for (const attempt of keys) checkAttempt(device, attempt);
  const flags = mappingFlags(device, options);
  return await exclusively({ device, signal }, async () => {
    const { handle, facts } = await loadTrusted(device, options.expect);
    await using _ = handle;
    // The library adds what the header keeps when it activates.
    const expected = flags | headerBits(facts.persistentFlags);
    const isActive = await isActiveAlready(handle, name, expected);
    let refused: LuksError | undefined;
    for (const attempt of keys) {
      signal?.throwIfAborted();
      const result = await tryKey(handle, facts, attempt, isActive ? undefined : { name, flags });
      if (result.keyslot === undefined) {
        refused ??= result.refused;
        continue;
      }
      if (signal?.aborted === true && !isActive) await undo(name);
      signal?.throwIfAborted();
      return new Volume(name, result.keyslot);
    }
    throw refused ?? keyRejected(device);
  });
}

function mappingFlags(device: string, options: OpenOptions): number {
  const flags: MappingFlag[] = [...(options.performance ?? [])];
  for (const flag of flags) if (!isPerformanceFlag(flag)) throw unsupported(device, `option ${flag}`);
  if (options.allowDiscards === true) flags.push('allow_discards');
  if (options.readOnly === true) flags.push('read_only');
  return toBits(flags);
}

/** True when the name maps this very volume in the way that was asked for; throws when it maps anything else. */
async function isActiveAlready(handle: Handle, name: string, flags: number): Promise<boolean> {
  const active = await readStatus(name);
  if (active === undefined) return false;
  const { device } = handle;
  const same = active.uuid === handle.text('crypt_get_uuid') && (await isSameDevice(active.device, device));
  if (!same) throw new LuksError('ERR_LUKS_BUSY', device, 'EEXIST', `${name} is mapped to ${active.device}`);
  const wanted = fromBits(flags).join(' ');
  const has = active.flags.join(' ');
  if (wanted !== has) {
    throw new LuksError(
      'ERR_LUKS_BUSY',
      device,
      'EEXIST',
      `${name} is mapped with [${has}], not [${wanted}]`,
    );
  }
  return true;
}

async function undo(name: string): Promise<void> {
  await call('crypt_deactivate', null, name);
}
