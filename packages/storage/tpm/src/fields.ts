import type { TpmError } from './errors.ts';

/** What a TPM marshals: big-endian fields, one after the other. */
export class Fields {
  readonly #bytes: Uint8Array;
  readonly #invalid: (why: string) => TpmError;
  #at = 0;

  /** @param invalid makes the error for bytes that end too early. */
  constructor(bytes: Uint8Array, invalid: (why: string) => TpmError) {
    this.#bytes = bytes;
    this.#invalid = invalid;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  number(sizeBytes: 2 | 4): number {
    return this.#take(sizeBytes).reduce((value, byte) => value * 256 + byte, 0);
  }

  /** A TPM2B: two bytes of size, and as many bytes. */
  sized(): Uint8Array {
    return this.#take(this.number(2));
  }

  #take(sizeBytes: number): Uint8Array {
    if (sizeBytes > this.left) throw this.#invalid('it is cut short');
    this.#at += sizeBytes;
    return this.#bytes.subarray(this.#at - sizeBytes, this.#at);
  }
}
