import { isCipher } from './cipher.ts';
import { CRYPT_LUKS2 } from './constants.ts';
import { deviceFacts } from './device.ts';
import { LuksError, type LuksErrorCode, unsupported } from './errors.ts';
import { Handle } from './handle.ts';
import { type HeaderFacts, parseHeaderJson } from './header-json.ts';
import { readSignature, type Signature } from './signature.ts';

/** LUKS2 specification 2.1: two copies of at least 16 KiB. */
const smallestHeaderBytes = 32n << 10n;

/** Opens a device and loads its LUKS2 header, or throws the error that says what the device is instead. */
export async function loadHandle(device: string): Promise<Handle> {
  try {
    const handle = await Handle.open(device);
    const status = await handle.call('crypt_load', CRYPT_LUKS2, null);
    if (status >= 0) return handle;
    const error = handle.error('crypt_load', status);
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
  const [code, what] = meanings[await readSignature(device)];
  return new LuksError(code, device, 'EINVAL', `${device}: ${what}`, { cause });
}

const meanings: Readonly<Record<Signature, readonly [LuksErrorCode, string]>> = {
  none: ['ERR_LUKS_NOT_LUKS', 'no LUKS header'],
  luks1: ['ERR_LUKS_VERSION', 'LUKS version 1'],
  luks2: ['ERR_LUKS_DAMAGED', 'no valid copy of the LUKS2 header'],
  'luks2-secondary': ['ERR_LUKS_DAMAGED', 'no valid copy of the LUKS2 header'],
};

/** The facts of the header that a handle has loaded. */
export function readFacts(handle: Handle): HeaderFacts {
  return parseHeaderJson(handle.device, handle.headerJson());
}

/** A handle whose header is one that we would have written: see {@link refuseForeign}. */
export async function loadTrusted(device: string): Promise<{ handle: Handle; facts: HeaderFacts }> {
  const handle = await loadHandle(device);
  try {
    const facts = readFacts(handle);
    refuseForeign(device, facts);
    return { handle, facts };
  } catch (error) {
    await handle[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Whoever can write to the disk can replace its header. One with a null cipher would open with any key, and what is
 * written then would be readable: only the ciphers that volumes may have are used.
 */
function refuseForeign(device: string, facts: HeaderFacts): void {
  if (!isCipher(facts.cipher)) throw unsupported(device, `cipher ${facts.cipher}`);
  for (const { slot, cipher } of facts.keyslots) {
    if (!isCipher(cipher)) throw unsupported(device, `cipher ${cipher} of keyslot ${slot}`);
  }
  if (facts.requirements.length > 0)
    throw unsupported(device, `requirements ${facts.requirements.join(', ')}`);
}
