import { createHash, type Hash } from 'node:crypto';

import { OciError } from './errors.ts';

/** `sha256:` and 64 hex digits, or `sha512:` and 128. */
export type Digest = `sha256:${string}` | `sha512:${string}`;

/** Whether a text is the digest of something, in an algorithm that we compute. */
export function isDigest(text: string): text is Digest {
  return /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.test(text);
}

/** The SHA-256 of bytes as a digest. */
export function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Counts and hashes bytes on their way, and says at the end whether they are what was asked for. */
export class DigestCheck {
  readonly #digest: Digest;
  readonly #size: number | undefined;
  readonly #hash: Hash;
  #seen = 0;

  /** @param size undefined when it isn't known. */
  constructor(digest: Digest, size?: number) {
    this.#digest = digest;
    this.#size = size;
    this.#hash = createHash(digest.slice(0, 6));
  }

  /** How many bytes it has had. */
  get seen(): number {
    return this.#seen;
  }

  /** @throws {OciError} with `ERR_OCI_DIGEST` as soon as there are more than there may be. */
  update(bytes: Uint8Array): void {
    this.#seen += bytes.length;
    if (this.#size !== undefined && this.#seen > this.#size)
      throw new OciError('ERR_OCI_DIGEST', `${this.#digest}: more than its ${this.#size} bytes`);
    this.#hash.update(bytes);
  }

  /** @throws {OciError} with `ERR_OCI_DIGEST` unless it was all of it and nothing else. */
  end(): void {
    if (this.#size !== undefined && this.#seen !== this.#size)
      throw new OciError('ERR_OCI_DIGEST', `${this.#digest}: ${this.#seen} of ${this.#size} bytes`);
    const found = `${this.#digest.slice(0, 7)}${this.#hash.digest('hex')}`;
    if (found !== this.#digest)
      throw new OciError('ERR_OCI_DIGEST', `${this.#digest}: the bytes have ${found}`);
  }
}

/** @throws {OciError} with `ERR_OCI_DIGEST` when the bytes have another digest. */
export function assertDigest(bytes: Uint8Array, digest: Digest): void {
  const check = new DigestCheck(digest);
  check.update(bytes);
  check.end();
}
