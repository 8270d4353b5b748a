import { createHash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

import { Secret } from '@nodecore/sys';

/** systemd 253: PBKDF2-HMAC-SHA256 with this many iterations. */
const iterations = 10_000;

/**
 * The authorization value that a PIN stands for, as systemd derives it: SHA-256 of the PIN, or with a salt (253 and later)
 * SHA-256 of the base64 text of PBKDF2 of it. Without trailing zeros: the TPM takes them off, and so must who proves it.
 */
export async function authValueOf(pin: Secret, salt?: Uint8Array): Promise<Secret> {
  if (salt === undefined) return hashed(pin.bytes);
  using hardened = Secret.take(await promisify(pbkdf2)(pin.bytes, salt, iterations, 32, 'sha256'));
  using text = base64(hardened.bytes);
  return hashed(text.bytes);
}

function hashed(bytes: Uint8Array): Secret {
  const digest = createHash('sha256').update(bytes).digest();
  let size = digest.length;
  while (size > 0 && digest[size - 1] === 0) size -= 1;
  const value = Secret.copy(digest.subarray(0, size));
  digest.fill(0);
  return value;
}

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const padding = 0x3d;

/** RFC 4648, without going through a string, which could not be wiped. */
function base64(bytes: Uint8Array): Secret {
  const text = Buffer.alloc(Math.ceil(bytes.length / 3) * 4, padding);
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const characters = Math.min(bytes.length - at, 3) + 1;
    for (let n = 0; n < characters; n += 1) {
      text[(at / 3) * 4 + n] = alphabet[(bits >> (18 - 6 * n)) & 63] ?? 0;
    }
  }
  return Secret.take(text);
}
