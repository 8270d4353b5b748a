import { MessageFault, MessageSlicer } from './message-slicer.ts';

/** What came of a stream of messages that are nearly all bytes of one field. */
export type Slices<Message> = {
  /** Bytes of the field, in order. */
  readonly pieces: readonly Uint8Array[];
  /** What a message has beside the field, when it has something; the pieces came before. */
  readonly rest: Message | undefined;
};

/** Between a stream that pushes and a reader that pulls. */
export class SliceQueue<Message> {
  readonly #decode: (bytes: Buffer) => Message;
  readonly #slicer: MessageSlicer;
  #pieces: Uint8Array[] = [];
  #full: Slices<Message>[] = [];
  #waiting = 0;
  #ended = false;
  #failure: unknown;
  #changed = Promise.withResolvers<void>();
  /** Pieces are small, and come many at a time: the reader is told when all of them are there. */
  #isTold = false;

  /** @param field the number of the field; @param decode decodes messages without it. */
  constructor(field: number, decode: (bytes: Buffer) => Message) {
    this.#decode = decode;
    this.#slicer = new MessageSlicer(field, {
      bytes: (piece) => {
        this.#waiting += piece.length;
        this.#pieces.push(piece);
      },
      rest: (message) => {
        this.#waiting += message.length;
        this.#finish(this.#decoded(message));
      },
    });
  }

  /** Bytes that nobody has asked for yet. Those of a message that is still to be put together are none: nobody can. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The last message has an end. */
  get isWhole(): boolean {
    return this.#slicer.isWhole;
  }

  /** @throws {MessageFault} when it is no message. */
  push(chunk: Buffer): void {
    this.#slicer.feed(chunk);
    if (this.#isTold) return;
    this.#isTold = true;
    setImmediate(() => {
      this.#isTold = false;
      this.#changed.resolve();
    });
  }

  /** Nothing more comes. What came and was not asked for is forgotten when it failed. */
  end(failure?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#changed.resolve();
  }

  /** Everything there is, as soon as there is something. Ends with the stream; throws what it failed with. */
  async *batches(): AsyncGenerator<Slices<Message>, void, void> {
    for (;;) {
      await this.#changed.promise;
      this.#changed = Promise.withResolvers<void>();
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#pieces.length > 0) this.#finish(undefined);
      const full = this.#full;
      this.#full = [];
      this.#waiting = 0;
      yield* full;
      // It may have gone on while the reader was busy.
      if (this.#ended && this.#failure === undefined && this.#full.length === 0 && this.#pieces.length === 0)
        return;
      if (this.#ended) this.#changed.resolve();
    }
  }

  #decoded(message: Buffer): Message {
    try {
      return this.#decode(message);
    } catch (cause) {
      throw new MessageFault('it can not be decoded', { cause });
    }
  }

  #finish(rest: Message | undefined): void {
    this.#full.push({ pieces: this.#pieces, rest });
    this.#pieces = [];
  }
}
