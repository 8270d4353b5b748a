/** A message as it goes over a stream, its length in front (RFC 1035, 4.2.2). */
export function frame(bytes: Uint8Array): Buffer {
  const framed = Buffer.alloc(bytes.length + 2);
  framed.writeUInt16BE(bytes.length, 0);
  framed.set(bytes, 2);
  return framed;
}

/** Messages out of a stream that comes in pieces. Holds 64 KiB at most beside the piece. */
export class FrameReader {
  readonly #each: (bytes: Buffer) => void;
  #pending: Buffer = Buffer.alloc(0);

  constructor(each: (bytes: Buffer) => void) {
    this.#each = each;
  }

  feed(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length >= 2) {
      const length = this.#pending.readUInt16BE(0);
      if (this.#pending.length < length + 2) return;
      const bytes = this.#pending.subarray(2, length + 2);
      this.#pending = this.#pending.subarray(length + 2);
      this.#each(bytes);
    }
  }
}
