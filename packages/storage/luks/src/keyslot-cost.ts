import { LuksError } from './errors.ts';
import type { PbkdfStruct } from './ffi.ts';
import { freeMemory } from './free-memory.ts';
import type { Handle } from './handle.ts';
import type { HeaderFacts, KeyslotKdf } from './header-json.ts';

/** How often memory is freed before a refusal: others may take it again in between. */
const maxTries = 3;

/** Less than this no measurement of the library chooses (`min_bench_memory` in its backends). */
const minMeasuredKib = 64 << 10;

/** What `setCosts` needs of a handle. */
export type CostHandle = Pick<Handle, 'device' | 'costs'> & {
  check(name: 'crypt_set_pbkdf_type', codes: object, pbkdf: PbkdfStruct): Promise<number>;
};

/**
 * Sets what the next keyslot costs, or refuses.
 *
 * On a machine without swap libcryptsetup takes at most half of the memory that is free at this moment, in which the page
 * cache does not count: a machine that has run for a while has next to none free, and the keyslot would be weaker than asked
 * for without a word (2.6 of Debian 12 even where the costs are given; later versions where they are measured). The
 * kernel gives the page cache back to whoever asks for memory, so memory is asked for, given back, and the costs are set again.
 *
 * @throws {LuksError} `ERR_LUKS_MEMORY`.
 */
export async function setCosts(
  handle: CostHandle,
  pbkdf: PbkdfStruct,
  free: typeof freeMemory = freeMemory,
): Promise<void> {
  const { device } = handle;
  for (let tries = 1; ; tries += 1) {
    await handle.check('crypt_set_pbkdf_type', {}, pbkdf);
    const granted = handle.costs?.max_memory_kb ?? 0;
    if (granted >= pbkdf.max_memory_kb) return;
    if (tries < maxTries && (await free(2 * pbkdf.max_memory_kb))) continue;
    throw new LuksError(
      'ERR_LUKS_MEMORY',
      device,
      'ENOMEM',
      `${device}: the key derivation would get ${granted} KiB of memory in place of ${pbkdf.max_memory_kb}: ` +
        'libcryptsetup takes at most half of the memory, and half of what is free where there is no swap',
    );
  }
}

/**
 * Refuses a keyslot that costs less than was asked for, by what the header says. Fewer threads make it no weaker. Memory
 * and passes that were measured are the measurement's, within what the library ever chooses.
 *
 * @throws {LuksError} `ERR_LUKS_MEMORY` when it is the memory, else `ERR_LUKS_FAILED`.
 */
export function refuseWeaker(
  device: string,
  facts: Pick<HeaderFacts, 'keyslots'>,
  slot: number,
  asked: PbkdfStruct,
): void {
  const kdf = facts.keyslots.find((keyslot) => keyslot.slot === slot)?.kdf;
  if (kdf !== undefined && !isWeaker(kdf, asked)) return;
  const isMemory = kdf?.type === asked.type && (kdf.memoryKib ?? 0) < asked.max_memory_kb;
  throw new LuksError(
    isMemory ? 'ERR_LUKS_MEMORY' : 'ERR_LUKS_FAILED',
    device,
    '',
    `${device}: keyslot ${slot} came out as ${told(kdf)}, which is weaker than asked for`,
  );
}

function isWeaker(kdf: KeyslotKdf, asked: PbkdfStruct): boolean {
  const isMeasured = asked.iterations === 0;
  const memoryKib = isMeasured ? Math.min(asked.max_memory_kb, minMeasuredKib) : asked.max_memory_kb;
  return kdf.type !== asked.type || kdf.iterations < asked.iterations || (kdf.memoryKib ?? 0) < memoryKib;
}

function told(kdf: KeyslotKdf | undefined): string {
  if (kdf === undefined) return 'nothing';
  const memory = kdf.memoryKib === undefined ? '' : `, ${kdf.memoryKib} KiB`;
  return `${kdf.type}, ${kdf.iterations} iterations${memory}`;
}
