/**
 * Bytes that arrive in pieces and are taken in others. Each is copied a few times at most, however many pieces there are. Nobody
 * waits here, so this is no `BoundedQueue`: who has too few bytes reads on.
 */
export class ByteQueue {
  #bytes: Uint8Array = new Uint8Array();
  /** Memory of our own that `#bytes` is the end of, with room behind it; undefined while they are a piece as it came. */
  #room: { readonly memory: Uint8Array; end: number } | undefined;
  /** Bytes taken since the beginning: where in the file the next one is. */
  offset = 0;

  push(chunk: Uint8Array): void {
    const size = this.#bytes.length + chunk.length;
    if (this.#bytes.length === 0) {
      this.#bytes = chunk;
      this.#room = undefined;
      return;
    }
    if (this.#room === undefined || this.#room.memory.length - this.#room.end < chunk.length) {
      const memory = new Uint8Array(2 * size);
      memory.set(this.#bytes);
      this.#room = { memory, end: this.#bytes.length };
    }
    const { memory, end } = this.#room;
    memory.set(chunk, end); // behind all that was lent
    this.#room.end = end + chunk.length;
    this.#bytes = memory.subarray(end + chunk.length - size, end + chunk.length);
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
