/** A read past the end of what is there. Whoever knows what is read turns it into an error or an absence. */
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
    return this.bytes(1)[0] ?? 0;
  }

  u16(): number {
    return this.u8() | (this.u8() << 8);
  }

  u32(): number {
    return (this.u16() | (this.u16() << 16)) >>> 0;
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

  rest(): Uint8Array {
    return this.bytes(this.left);
  }
}
