/**
 * Keys for people to write down. No library and no device is touched here, so that the client that shows a key can make
 * it; the entry point `@nodecore/luks/recovery-key` is this file.
 */
import { Secret } from '@nodecore/sys';

import { LuksError } from './errors.ts';

/** The sixteen letters that sit at one place on every Latin keyboard, in the order of their values. */
const alphabet = Buffer.from('cbdefghijklnrtuv', 'latin1');
const keyBytes = 32;
const letters = 2 * keyBytes;
const groupLetters = 8;
const dash = 0x2d;
/** Eight groups of eight letters with dashes between them. */
const textBytes = letters + letters / groupLetters - 1;

/**
 * A recovery key that was just made. It is shown once and stored nowhere: a keyslot is all that remembers it.
 * Owned by the caller that generated it; overwritten when disposed.
 */
export class RecoveryKey implements Disposable {
  /** What the keyslot takes: the text, dashes included, as systemd's recovery keys have it. */
  readonly key: Secret;

  /** Made by `recoveryKey.generate`. */
  constructor(key: Secret) {
    this.key = key;
  }

  /**
   * Hands the text to a callback that shows it: eight groups of eight letters, 71 bytes of ASCII. The bytes are overwritten as
   * soon as `write` returns, or its promise settles.
   */
  async show(write: (text: Uint8Array) => unknown): Promise<void> {
    using text = this.key.clone();
    await write(text.bytes);
  }

  [Symbol.dispose](): void {
    this.key[Symbol.dispose]();
  }
}

/** Makes a recovery key of 256 random bits. */
function generate(): RecoveryKey {
  using random = Secret.random(keyBytes);
  const text = Buffer.allocUnsafeSlow(textBytes);
  let at = 0;
  for (const [index, byte] of random.bytes.entries()) {
    if (index > 0 && index % (groupLetters / 2) === 0) text[at++] = dash;
    text[at++] = alphabet[byte >> 4] ?? 0;
    text[at++] = alphabet[byte & 15] ?? 0;
  }
  return new RecoveryKey(Secret.take(text));
}

/**
 * Reads what a person typed, in either case, with spaces, dashes and line ends wherever they are, or without any.
 *
 * @returns the key for the keyslot; the caller's to dispose. The source stays the caller's, too.
 * @throws {LuksError} `ERR_LUKS_RECOVERY_KEY`: which letter is none of the alphabet, or how many are missing or too many.
 */
function parse(source: Uint8Array): Secret {
  using text = Secret.take(Buffer.allocUnsafeSlow(textBytes));
  let count = 0;
  for (const byte of source) {
    if (isSeparator(byte)) continue;
    count += 1;
    if (!alphabet.includes(byte | 0x20)) {
      // The letter itself stays out of the message: it may be part of a key.
      throw invalid(`letter ${count} is none of ${alphabet.toString('latin1')}`);
    }
    if (count > letters) continue;
    text.bytes[count - 1 + Math.floor((count - 1) / groupLetters)] = byte | 0x20;
  }
  if (count !== letters) throw invalid(`${count} letters in place of ${letters}`);
  for (let at = groupLetters; at < textBytes; at += groupLetters + 1) text.bytes[at] = dash;
  return text.clone();
}

function isSeparator(byte: number): boolean {
  return byte === dash || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function invalid(what: string): LuksError {
  return new LuksError('ERR_LUKS_RECOVERY_KEY', '', '', `not a recovery key: ${what}`);
}

/**
 * Recovery keys in the form of systemd-cryptenroll: what is shown is the passphrase, so `cryptsetup open` takes it, too.
 *
 * @example
 * using made = recoveryKey.generate();
 * await keyslots.add('/dev/vdb', { existing, key: made.key });
 * await made.show((text) => writeSync(process.stdout.fd, text));
 */
export const recoveryKey: { readonly generate: typeof generate; readonly parse: typeof parse } = {
  generate,
  parse,
};
