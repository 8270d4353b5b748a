/** What is wrong with bytes that should be messages. */
export class MessageFault extends Error {
  static {
    this.prototype.name = 'MessageFault';
  }
}

/** Who gets what a {@link MessageSlicer} finds. */
export type SliceReceiver = {
  /** Bytes of the field, a view of what was fed. */
  bytes(piece: Buffer): void;
  /** A message as it would be without the field; not told of where nothing is left of it. */
  rest(message: Buffer): void;
};

/** More of other fields than this is no message of the kind. */
const restLimit = 1 << 20;
const prefixBytes = 5;
const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** What comes next: the five bytes before a message, a field's tag, its length, or so many bytes of a value. */
type State = 'prefix' | 'tag' | 'length' | 'varint' | 'rest' | 'piece';

/**
 * Takes gRPC messages apart as they come, of which one field has nearly all bytes: those are handed out where they are, and no
 * message is put together.
 *
 * @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export class MessageSlicer {
  readonly #field: number;
  readonly #receiver: SliceReceiver;
  #state: State = 'prefix';
  /** Bytes of the prefix that have come, and then of the message that have not. */
  #prefixRead = 0;
  #messageLeft = 0;
  #valueLeft = 0;
  /** A number in the making, and what its next digit counts. */
  #number = 0;
  #scale = 1;
  /** The field whose length is read is the one that is handed out. */
  #isField = false;
  #rest: number[] = [];

  /** @param field the number of the field that is handed out, of type `bytes`. */
  constructor(field: number, receiver: SliceReceiver) {
    this.#field = field;
    this.#receiver = receiver;
  }

  /** Between two messages: a stream may end here. */
  get isWhole(): boolean {
    return this.#state === 'prefix' && this.#prefixRead === 0;
  }

  /** @throws {MessageFault} when it is no message. Feed nothing more then. */
  feed(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === 'piece') {
        const end = Math.min(chunk.length, at + this.#valueLeft);
        this.#receiver.bytes(chunk.subarray(at, end));
        this.#took(end - at);
        at = end;
      } else {
        this.#byte(chunk[at] ?? 0);
        at += 1;
      }
    }
  }

  #took(bytes: number): void {
    this.#valueLeft -= bytes;
    this.#messageLeft -= bytes;
    if (this.#valueLeft === 0) this.#endOfField();
  }

  #byte(byte: number): void {
    if (this.#state === 'prefix') {
      this.#prefix(byte);
      return;
    }
    if (this.#state === 'rest') {
      this.#keep(byte);
      this.#took(1);
      return;
    }
    this.#messageLeft -= 1;
    if (this.#state === 'varint') {
      this.#keep(byte);
      if (byte < 0x80) this.#endOfField();
      else if (this.#messageLeft === 0) throw new MessageFault('a number has no end');
      return;
    }
    this.#number += (byte & 0x7f) * this.#scale;
    this.#scale *= 0x80;
    if (byte >= 0x80) {
      if (this.#scale > 2 ** 32 || this.#messageLeft === 0) throw new MessageFault('a number has no end');
      return;
    }
    const number = this.#number;
    this.#number = 0;
    this.#scale = 1;
    if (this.#state === 'tag') this.#tag(number);
    else this.#value(number);
  }

  #prefix(byte: number): void {
    if (this.#prefixRead === 0 && byte !== 0) throw new MessageFault('compressed, which nobody asked for');
    if (this.#prefixRead > 0) this.#messageLeft = this.#messageLeft * 0x100 + byte;
    this.#prefixRead += 1;
    if (this.#prefixRead === prefixBytes && this.#messageLeft > 0) this.#state = 'tag';
    else if (this.#prefixRead === prefixBytes) this.#prefixRead = 0;
  }

  #tag(tag: number): void {
    if (this.#messageLeft === 0) throw new MessageFault('a field without a value');
    const type = tag % 8;
    this.#isField = Math.floor(tag / 8) === this.#field;
    if (this.#isField) {
      if (type !== wire.bytes) throw new MessageFault('a field of a type that it does not have');
      this.#state = 'length';
      return;
    }
    this.#keepNumber(tag);
    if (type === wire.varint) this.#state = 'varint';
    else if (type === wire.bytes) this.#state = 'length';
    else if (type === wire.fixed32) this.#begin('rest', 4);
    else if (type === wire.fixed64) this.#begin('rest', 8);
    else throw new MessageFault('a field of a type that no field has');
  }

  #value(length: number): void {
    if (this.#isField) {
      this.#begin('piece', length);
      return;
    }
    this.#keepNumber(length);
    this.#begin('rest', length);
  }

  #begin(state: 'rest' | 'piece', length: number): void {
    if (length > this.#messageLeft) throw new MessageFault('a field is longer than its message');
    this.#state = state;
    this.#valueLeft = length;
    if (length === 0) this.#endOfField();
  }

  #endOfField(): void {
    if (this.#messageLeft > 0) {
      this.#state = 'tag';
      return;
    }
    this.#state = 'prefix';
    this.#prefixRead = 0;
    const rest = this.#rest;
    if (rest.length === 0) return;
    this.#rest = [];
    this.#receiver.rest(Buffer.from(rest));
  }

  #keep(byte: number): void {
    if (this.#rest.length >= restLimit) throw new MessageFault('it is too long');
    this.#rest.push(byte);
  }

  #keepNumber(number: number): void {
    let left = number;
    for (; left >= 0x80; left = Math.floor(left / 0x80)) this.#keep((left % 0x80) | 0x80);
    this.#keep(left);
  }
}
