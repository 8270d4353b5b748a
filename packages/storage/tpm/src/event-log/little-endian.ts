/** A read past the end of what is there. The parser of the field turns it into an error or an absence. */
export class CutShort extends RangeError {}

/** Little-endian fields, one after the other. Bytes are views of the source. */
export class LittleEndian {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  u8(): number {
    return this.#number(1);
  }

  u16(): number {
    return this.#number(2);
  }

  u32(): number {
    return this.#number(4);
  }

  /** Sizes and counts: what passes 2^53 is larger than anything there can be. */
  u64(): number {
    const low = this.u32();
    return this.u32() * 2 ** 32 + low;
  }

  bytes(size: number): Uint8Array {
    if (size > this.left) throw new CutShort();
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }

  #number(size: 1 | 2 | 4): number {
    if (size > this.left) throw new CutShort();
    let value = 0;
    for (let n = size - 1; n >= 0; n -= 1) value = (value << 8) | (this.#bytes[this.#at + n] ?? 0);
    this.#at += size;
    return value >>> 0;
  }
}
