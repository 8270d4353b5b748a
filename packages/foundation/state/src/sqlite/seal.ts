import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const algorithm = 'aes-256-gcm';
const [saltBytes, nonceBytes, tagBytes] = [16, 12, 16];
/** Begins what is sealed: no JSON begins with it. */
const mark = '~';
/** Values under one derived key: far below where random nonces of 96 bits may meet. */
const valuesPerSalt = 2 ** 20;
const maxDerived = 256;

/** Where a sealed text belongs: moved to any other place it can't be opened. */
export type Place = {
  readonly namespace: string;
  readonly type: string;
  /** As it is stored; see {@link Seal.name}. */
  readonly id: string;
  readonly version: number;
  /** What of the resource it is. */
  readonly part: string;
};

/** Whether a column has a sealed text. */
export function isSealed(text: string): boolean {
  return text.startsWith(mark);
}

/**
 * Encrypts texts with AES-256-GCM, each bound to its place. Every run of a program has keys of its own, derived from the
 * one it is given and random bytes that are kept with each text, so that no nonce is ever used twice with one key.
 */
export class Seal {
  /** Says which key it is, and nothing about it. */
  readonly keyId: string;
  readonly #key: KeyObject;
  readonly #names: KeyObject;
  readonly #derived = new Map<string, KeyObject>();
  #salt = randomBytes(saltBytes);
  #values = 0;

  /** @param key of 32 bytes. */
  constructor(key: KeyObject) {
    this.#key = key;
    this.keyId = this.#derive('which key').export().toString('hex').slice(0, 32);
    this.#names = this.#derive('names');
  }

  /** What stands for an id: the same each time, and nobody without the key knows for which. */
  name(namespace: string, type: string, id: string): string {
    const place = JSON.stringify([namespace, type, id]);
    return `${mark}${createHmac('sha256', this.#names).update(place).digest('base64url')}`;
  }

  seal(place: Place, text: string): string {
    if (this.#values >= valuesPerSalt) {
      this.#salt = randomBytes(saltBytes);
      this.#values = 0;
    }
    this.#values += 1;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#valueKey(this.#salt), nonce, { authTagLength: tagBytes });
    cipher.setAAD(bytesOf(place));
    const sealed = [this.#salt, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${mark}${Buffer.concat(sealed).toString('base64')}`;
  }

  /** @throws {Error} unless exactly this was sealed for exactly this place with this key. */
  open(place: Place, sealed: string): string {
    const bytes = Buffer.from(sealed.slice(mark.length), 'base64');
    if (!isSealed(sealed) || bytes.length < saltBytes + nonceBytes + tagBytes) throw new Error('not sealed');
    const salt = bytes.subarray(0, saltBytes);
    const nonce = bytes.subarray(saltBytes, saltBytes + nonceBytes);
    const decipher = createDecipheriv(algorithm, this.#valueKey(salt), nonce, { authTagLength: tagBytes });
    decipher.setAAD(bytesOf(place));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(saltBytes + nonceBytes, -tagBytes), undefined, 'utf8');
    return text + decipher.final('utf8');
  }

  #valueKey(salt: Buffer): KeyObject {
    const name = salt.toString('base64');
    const known = this.#derived.get(name);
    if (known !== undefined) return known;
    const oldest = this.#derived.keys().next();
    if (this.#derived.size >= maxDerived && oldest.done !== true) this.#derived.delete(oldest.value);
    const made = this.#derive('values', salt);
    this.#derived.set(name, made);
    return made;
  }

  #derive(purpose: string, salt: Uint8Array = Buffer.alloc(0)): KeyObject {
    const bytes = new Uint8Array(hkdfSync('sha256', this.#key, salt, `nodecore state 1 ${purpose}`, 32));
    try {
      return createSecretKey(bytes);
    } finally {
      bytes.fill(0);
    }
  }
}

function bytesOf({ namespace, type, id, version, part }: Place): Buffer {
  return Buffer.from(JSON.stringify([namespace, type, id, version, part]));
}
