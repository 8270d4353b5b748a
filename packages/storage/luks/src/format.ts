import type { Secret } from '@nodecore/sys';

import { type Cipher, cipherFacts, isCipher } from './cipher.ts';
import { CRYPT_ANY_SLOT, CRYPT_LUKS2 } from './constants.ts';
import { deviceFacts, zero } from './device.ts';
import { LuksError, unsupported } from './errors.ts';
import { Handle } from './handle.ts';
import { describe, type Header } from './header.ts';
import { checkAttempt } from './key.ts';
import { refuseWeaker, setCosts } from './keyslot-cost.ts';
import { describeHandle } from './load.ts';
import { requireMemory } from './memory.ts';
import { chooseCosts, type Pbkdf } from './pbkdf.ts';
import { exclusively } from './queue.ts';
import { readSignature } from './signature.ts';

export type FormatOptions = {
  /** The first key. It stays the caller's. */
  readonly key: Secret;
  /** Keyslot of the key; the first one by default. */
  readonly slot?: number;
  /** `aes-xts-plain64` by default. */
  readonly cipher?: Cipher;
  /** 512 for aes-xts (which is AES-256), 256 for the adiantum ciphers, by default. */
  readonly keySizeBits?: number;
  /** Encryption sector size: 512, 1024, 2048 or 4096. The library chooses what suits the device by default. */
  readonly sectorSize?: number;
  /** At most 47 bytes. */
  readonly label?: string;
  /** At most 47 bytes. */
  readonly subsystem?: string;
  /** Random by default. */
  readonly uuid?: string;
  readonly pbkdf?: Pbkdf;
  /** Replaces a LUKS header that is already there, and with it every way to its data. */
  readonly overwrite?: boolean;
  /** Looked at before anything is written; a format that has begun ends. */
  readonly signal?: AbortSignal;
};

/** LUKS2 keeps 16 MiB for its header and keyslots before the data. */
const reservedBytes = 16n << 20n;
/** Both copies of the header, as the library sizes them by default. */
const headerBytes = 32 << 10;
const sectorSizes = [512, 1024, 2048, 4096];
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Makes a LUKS2 volume on a device or a file. DESTROYS what is there: whether a device is empty is the caller's to
 * prove. Only another LUKS header is refused here, unless `overwrite` is set.
 *
 * Everything is checked before the first write. Where the keyslot can't be made afterwards, or costs less than was asked
 * for, the new header is removed again.
 *
 * @throws {LuksError} `ERR_LUKS_MEMORY` when the key derivation can't have its memory.
 */
export async function format(device: string, options: FormatOptions): Promise<Header> {
  const { key, slot, cipher = 'aes-xts-plain64', signal } = options;
  if (!isCipher(cipher)) throw unsupported(device, `cipher ${String(cipher)}`);
  const { mode, cipher: name, keySizeBits: defaultBits } = cipherFacts(cipher);
  const keySizeBits = options.keySizeBits ?? defaultBits;
  checkAttempt(device, slot === undefined ? { key } : { key, slot });
  checkParameters(device, options, cipher, keySizeBits);
  const pbkdf = chooseCosts(device, options.pbkdf);
  return await exclusively({ device, signal }, async () => {
    await checkDevice(device, options);
    signal?.throwIfAborted();
    await using handle = await Handle.open(device);
    await requireMemory(device, pbkdf.max_memory_kb);
    await setCosts(handle, pbkdf);
    await handle.check(
      'crypt_format',
      {},
      CRYPT_LUKS2,
      name,
      mode,
      options.uuid ?? null,
      null,
      keySizeBits / 8,
      {
        pbkdf: null,
        integrity: null,
        integrity_params: null,
        data_alignment: 0,
        data_device: null,
        sector_size: options.sectorSize ?? 0,
        label: options.label ?? null,
        subsystem: options.subsystem ?? null,
      },
    );
    try {
      const made = await handle.check(
        'crypt_keyslot_add_by_volume_key',
        {},
        slot ?? CRYPT_ANY_SLOT,
        null,
        0,
        key.bytes,
        key.sizeBytes,
      );
      const header = describeHandle(handle);
      refuseWeaker(device, header.facts, made, pbkdf);
      return describe(header);
    } catch (error) {
      await zero(device, 0, headerBytes);
      throw error;
    }
  });
}

function checkParameters(device: string, options: FormatOptions, cipher: Cipher, keySizeBits: number): void {
  const { sectorSize, label = '', subsystem = '', uuid } = options;
  if (!cipherFacts(cipher).keySizesBits.includes(keySizeBits)) {
    throw unsupported(device, `${cipher} with a key of ${keySizeBits} bits`);
  }
  if (sectorSize !== undefined && !sectorSizes.includes(sectorSize)) {
    throw unsupported(device, `a sector size of ${sectorSize} bytes`);
  }
  for (const text of [label, subsystem]) {
    // The library cuts longer ones without a word.
    if (Buffer.byteLength(text) > 47)
      throw unsupported(device, `a label of ${Buffer.byteLength(text)} bytes`);
  }
  if (uuid !== undefined && !uuidPattern.test(uuid)) throw unsupported(device, `the UUID ${uuid}`);
}

async function checkDevice(device: string, { sectorSize, overwrite }: FormatOptions): Promise<void> {
  const { sizeBytes, logicalSectorSize } = await deviceFacts(device);
  if (sizeBytes <= reservedBytes) throw unsupported(device, `${sizeBytes} bytes are too few for LUKS2`);
  if (sectorSize !== undefined && sectorSize < logicalSectorSize) {
    throw unsupported(device, `a sector size of ${sectorSize} bytes on sectors of ${logicalSectorSize}`);
  }
  if (sectorSize !== undefined && sizeBytes % BigInt(sectorSize) !== 0n) {
    throw unsupported(device, `${sizeBytes} bytes are not whole sectors of ${sectorSize}`);
  }
  if (overwrite !== true && (await readSignature(device)) !== 'none') {
    throw new LuksError('ERR_LUKS_EXISTS', device, '', `${device}: there is a LUKS header already`);
  }
}
