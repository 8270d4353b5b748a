import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

/** No letters that people take for others. */
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const groups = 5;
const groupLength = 5;

/** Codes that confirm one key each. Only their digests are kept, and only in memory. */
export class OneTimeCodes {
  readonly #digests = new Map<string, Buffer>();

  /** A new code for an identity, of 125 random bits; the one before it is worth nothing any more. */
  issue(identity: string): string {
    const code = Array.from({ length: groups }, () =>
      Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]!).join(''),
    ).join('-');
    this.#digests.set(identity, digestOf(code));
    return code;
  }

  /** Whether this is the code of the identity. */
  matches(identity: string, code: string): boolean {
    const digest = this.#digests.get(identity);
    return digest !== undefined && timingSafeEqual(digest, digestOf(code));
  }

  /** It was used. */
  spend(identity: string): void {
    this.#digests.delete(identity);
  }
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code.trim().toUpperCase()).digest();
}
