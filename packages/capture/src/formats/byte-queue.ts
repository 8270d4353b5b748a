/** Bytes that arrive in pieces and are taken in others. */
export class ByteQueue {
  #bytes: Uint8Array = new Uint8Array();
  /** Bytes taken since the beginning: where in the file the next one is. */
  offset = 0;

  push(chunk: Uint8Array): void {
    if (this.#bytes.length === 0) this.#bytes = chunk;
    else this.#bytes = Buffer.concat([this.#bytes, chunk]);
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** A view of the next bytes, which stay; undefined when so many have not come yet. */
  peek(size: number): DataView | undefined {
    if (this.#bytes.length < size) return undefined;
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset, size);
  }

  /** The next bytes, borrowed from the piece they came in; undefined when so many have not come yet. */
  take(size: number): Uint8Array | undefined {
    if (this.#bytes.length < size) return undefined;
    const taken = this.#bytes.subarray(0, size);
    this.#bytes = this.#bytes.subarray(size);
    this.offset += size;
    return taken;
  }
}
