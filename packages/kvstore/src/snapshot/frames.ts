/** Who takes what is in the messages, as it comes: pieces of the database, and how much of it there is. */
export type FrameSink = {
  /** Bytes of the database that are still to come, without the ones that follow at once. */
  total(bytes: bigint): void;
  /** A piece of the database. Its bytes are the chunk's. */
  piece(bytes: Uint8Array): void;
};

/** What is being read. */
type State = 'prefix' | 'tag' | 'number' | 'length' | 'piece' | 'skipped';

const prefixBytes = 5;
const remainingBytesField = 2;
const blobField = 3;

/**
 * Reads a stream of gRPC messages of the type `SnapshotResponse` without ever holding one: their bytes go on as they
 * come. https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
export class SnapshotFrames {
  readonly #sink: FrameSink;
  #state: State = 'prefix';
  /** Bytes of the prefix that were read. */
  #prefixRead = 0;
  /** Bytes of the message that were not read. */
  #messageLeft = 0;
  #field = 0;
  /** A number in the making, and the value of its next digit. */
  #number = 0n;
  #shift = 0n;
  /** Bytes of the field that were not read. */
  #fieldLeft = 0;
  #remaining: bigint | undefined;
  #saidTotal = false;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** Between two messages: a stream may end here. */
  get isWhole(): boolean {
    return this.#state === 'prefix' && this.#prefixRead === 0;
  }

  /** @throws {RangeError} when the bytes are no such messages. */
  take(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === 'piece' || this.#state === 'skipped') {
        const end = Math.min(chunk.length, at + this.#fieldLeft);
        if (this.#state === 'piece') this.#sink.piece(chunk.subarray(at, end));
        this.#messageLeft -= end - at;
        this.#fieldLeft -= end - at;
        at = end;
        if (this.#fieldLeft === 0) this.#endField();
      } else {
        this.#byte(chunk[at]!);
        at += 1;
      }
    }
  }

  #byte(byte: number): void {
    if (this.#state === 'prefix') {
      this.#prefix(byte);
      return;
    }
    this.#messageLeft -= 1;
    this.#number += BigInt(byte & 0x7f) << this.#shift;
    this.#shift += 7n;
    if (byte >= 0x80) {
      if (this.#shift > 63n || this.#messageLeft === 0) throw new RangeError('a number has no end');
      return;
    }
    const number = this.#number;
    this.#number = 0n;
    this.#shift = 0n;
    if (this.#state === 'tag') this.#tag(Number(number));
    else if (this.#state === 'length') this.#length(number);
    else this.#value(number);
  }

  #prefix(byte: number): void {
    if (this.#prefixRead === 0 && byte !== 0) throw new RangeError('compressed, which nobody asked for');
    this.#prefixRead += 1;
    this.#messageLeft = this.#messageLeft * 256 + byte;
    if (this.#prefixRead < prefixBytes) return;
    this.#remaining = undefined;
    this.#endField();
  }

  #endField(): void {
    this.#state = this.#messageLeft > 0 ? 'tag' : 'prefix';
    if (this.#state === 'prefix') this.#prefixRead = 0;
  }

  #tag(tag: number): void {
    const wireType = tag % 8;
    this.#field = Math.floor(tag / 8);
    if (wireType === 0) this.#state = 'number';
    else if (wireType === 2) this.#state = 'length';
    else throw new RangeError(`a field of the wire type ${wireType}`);
    if (this.#messageLeft === 0) throw new RangeError('a field without a value');
  }

  #value(number: bigint): void {
    if (this.#field === remainingBytesField) this.#remaining = number;
    this.#endField();
  }

  #length(length: bigint): void {
    if (length > BigInt(this.#messageLeft)) throw new RangeError('a field is longer than its message');
    this.#fieldLeft = Number(length);
    if (this.#field === blobField && !this.#saidTotal) {
      this.#saidTotal = true;
      // Proto3 leaves out a zero: nothing follows this piece.
      this.#sink.total((this.#remaining ?? 0n) + length);
    }
    this.#state = this.#field === blobField ? 'piece' : 'skipped';
    if (this.#fieldLeft === 0) this.#endField();
  }
}
