import { readFile } from 'node:fs/promises';

import { codeOf, Secret, writeFileAtomic } from '@nodecore/sys';

import { PersistenceError } from './errors.ts';

/** How many bytes a salt has; a file with more or fewer of them is damaged. */
export const saltBytes = 32;
const key = Buffer.from('diskSalt:');
const [zero, nine, newline] = [0x30, 0x39, 0x0a];

/**
 * The salt for keys that are locked to STATE: 32 random bytes, made once in the life of STATE, as a YAML mapping of
 * `diskSalt` to a list of numbers. It is read and written as bytes, because text could not be wiped.
 *
 * @param make asked only when there is no file.
 * @throws {PersistenceError} `ERR_STATE_DAMAGED`: another salt in its place would lock volumes for ever.
 */
export async function readOrMakeSalt(path: string, make: () => Secret): Promise<Secret> {
  const stored = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (stored !== undefined) {
    using text = Secret.take(stored);
    return decodeSalt(text.bytes, path);
  }
  const made = make();
  using text = encodeSalt(made);
  await writeFileAtomic(path, text.bytes);
  return made;
}

/** `diskSalt:` and a line `    - 17` for each byte. */
export function encodeSalt(salt: Secret): Secret {
  const text = Buffer.allocUnsafeSlow(key.length + 1 + salt.sizeBytes * '    - 255\n'.length);
  let at = key.copy(text);
  text[at++] = newline;
  for (const byte of salt.bytes) {
    at += text.write('    - ', at);
    for (const unit of [100, 10, 1])
      if (byte >= unit || unit === 1) text[at++] = zero + (Math.floor(byte / unit) % 10);
    text[at++] = newline;
  }
  using whole = Secret.take(text);
  return Secret.copy(whole.bytes.subarray(0, at));
}

/** Takes the list in either style of YAML. */
export function decodeSalt(text: Uint8Array, path: string): Secret {
  const start = Buffer.from(text.buffer, text.byteOffset, text.byteLength).indexOf(key);
  const salt = Buffer.allocUnsafeSlow(saltBytes);
  let count = 0;
  let number = -1;
  let isWhole = start >= 0;
  const end = start < 0 ? -1 : text.length;
  for (let at = start + key.length; at <= end; at += 1) {
    const byte = text[at] ?? newline; // a last line may be without its end
    if (byte >= zero && byte <= nine) {
      number = Math.max(number, 0) * 10 + (byte - zero);
    } else if (number >= 0) {
      if (number > 255 || count >= saltBytes) isWhole = false;
      else salt[count] = number;
      count += 1;
      number = -1;
    }
    if (!isExpected(byte)) isWhole = false;
  }
  using found = Secret.take(salt);
  if (isWhole && count === saltBytes) return found.clone();
  throw new PersistenceError(
    'ERR_STATE_DAMAGED',
    `${path}: not ${saltBytes} numbers from 0 to 255 under diskSalt`,
  );
}

/** Digits, and what a list of numbers has between them. */
function isExpected(byte: number): boolean {
  return (byte >= zero && byte <= nine) || ' \t\r\n-[],'.includes(String.fromCharCode(byte));
}
