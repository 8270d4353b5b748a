/** gRPC's prefix of a message: whether it is compressed, and its length. */
const prefixBytes = 5;
/** As clients take of any call. */
const largestMessage = 32 << 20;
/** A batch of packets and what begins behind it, nearly. */
const defaultBytes = 1 << 20;

/** Content that came and was not read yet. A message that was handed out stays as it is until the next one is asked for. */
export class Inbox {
  #memory: Uint8Array = new Uint8Array(defaultBytes);
  /** Filled when the message that is handed out lies in the way. */
  #spare: Uint8Array | undefined;
  #begin = 0;
  #end = 0;
  /** What has the message that is handed out. */
  #lent: Uint8Array | undefined;

  /** Bytes that were not handed out. */
  get waiting(): number {
    return this.#end - this.#begin;
  }

  /** A whole message is there. */
  get hasMessage(): boolean {
    const length = this.#length();
    return length !== undefined && this.waiting >= prefixBytes + length;
  }

  /** There is no message's beginning. */
  get isWhole(): boolean {
    return this.waiting === 0;
  }

  /** Why what came is no messages. */
  get fault(): string | undefined {
    if (this.waiting > 0 && this.#memory[this.#begin] !== 0) return 'compressed, which nobody asked for';
    const length = this.#length() ?? 0;
    return length > largestMessage ? `one of ${length} bytes` : undefined;
  }

  /** Room for so many bytes. */
  room(bytes: number): Uint8Array {
    if (this.#memory.length - this.#end < bytes) this.#makeRoom(bytes);
    return this.#memory.subarray(this.#end);
  }

  /** So many were put there. */
  took(bytes: number): void {
    this.#end += bytes;
  }

  /** The next message, borrowed until the one after it is asked for; undefined when it has not come yet. */
  message(): Uint8Array | undefined {
    this.#lent = undefined;
    if (!this.hasMessage) return undefined;
    const at = this.#begin + prefixBytes;
    this.#lent = this.#memory;
    this.#begin = at + (this.#length() ?? 0);
    return this.#memory.subarray(at, this.#begin);
  }

  #length(): number | undefined {
    if (this.waiting < prefixBytes) return undefined;
    const { buffer, byteOffset } = this.#memory;
    return new DataView(buffer, byteOffset + this.#begin).getUint32(1);
  }

  #makeRoom(bytes: number): void {
    const { waiting } = this;
    const isFree = (memory: Uint8Array | undefined): boolean =>
      memory !== undefined && memory !== this.#lent && memory.length >= waiting + bytes;
    if (isFree(this.#memory)) {
      this.#memory.copyWithin(0, this.#begin, this.#end);
    } else {
      const spare = isFree(this.#spare) ? this.#spare : undefined;
      const next = spare ?? new Uint8Array(Math.max(defaultBytes, 2 * (waiting + bytes)));
      next.set(this.#memory.subarray(this.#begin, this.#end));
      this.#spare = this.#memory;
      this.#memory = next;
    }
    this.#begin = 0;
    this.#end = waiting;
  }
}
