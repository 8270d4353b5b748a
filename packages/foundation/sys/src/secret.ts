import { builtin } from './builtin.ts';

const crypto = builtin('node:crypto');
/** `util.inspect.custom`. */
const inspected = Symbol.for('nodejs.util.inspect.custom');

const placeholder = '[secret]';

/** Where secrets are kept, and who cleans up behind them. */
export type SecretArena = {
  /** Memory of a size, zeros, that belongs to nobody else until the buffer is collected. */
  readonly allocate: (sizeBytes: number) => ArrayBuffer;
  /** Overwrites what earlier calls have left on this thread's stack and in what they have freed. */
  readonly wipeTraces: () => void;
};

/**
 * Key bytes with one owner, overwritten when it is disposed.
 *
 * The bytes live outside V8's heap, so that the collector neither copies nor keeps them, and in memory that is never swapped or
 * dumped where the program has said {@link Secret.useArena}. Printing, inspecting and
 * serialising a secret gives a placeholder. There is no way to a string: a string can't be wiped.
 */
export class Secret {
  static #arena: SecretArena = {
    allocate: (sizeBytes) => new ArrayBuffer(sizeBytes),
    wipeTraces: () => {},
  };
  #bytes: Buffer | undefined;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * From now on secrets of this thread get their memory there: for programs that hold keys, at their start, with `secretMemory` of
   * `@nodecore/native/memory`. Without it they are where other buffers are.
   */
  static useArena(arena: SecretArena): void {
    Secret.#arena = arena;
  }

  /**
   * Once a key came by a connection, or from a library: in a turn of the loop of its own, what the calls on its way have left behind in
   * this thread is overwritten. Does nothing where no arena is in use.
   */
  static wipeTraces(): void {
    setImmediate(Secret.#arena.wipeTraces);
  }

  /** Takes the bytes over: they are moved into the secret and the source is overwritten. */
  static take(source: Uint8Array): Secret {
    const secret = Secret.copy(source);
    source.fill(0);
    return secret;
  }

  /** Copies the bytes; the caller stays responsible for the source. */
  static copy(source: Uint8Array): Secret {
    const bytes = Secret.#room(source.byteLength);
    bytes.set(source);
    return new Secret(bytes);
  }

  /** So many zeros, for who fills them in. */
  static zeros(sizeBytes: number): Secret {
    return new Secret(Secret.#room(sizeBytes));
  }

  /** Random bytes from the kernel's generator. */
  static random(sizeBytes: number): Secret {
    const bytes = Secret.#room(sizeBytes);
    crypto().randomFillSync(bytes);
    return new Secret(bytes);
  }

  /** V8 keeps the bytes of a typed array of up to 64 on its heap, and a copy of them when somebody asks for its buffer. */
  static #room(sizeBytes: number): Buffer {
    return Buffer.from(sizeBytes === 0 ? new ArrayBuffer(0) : Secret.#arena.allocate(sizeBytes));
  }

  /** The bytes themselves, for one call; don't keep the reference. Throws a `TypeError` after dispose. */
  get bytes(): Buffer {
    if (this.#bytes === undefined) throw new TypeError('secret used after it was wiped');
    return this.#bytes;
  }

  get sizeBytes(): number {
    return this.bytes.byteLength;
  }

  /** Compares in constant time. */
  equals(other: Secret): boolean {
    return this.sizeBytes === other.sizeBytes && crypto().timingSafeEqual(this.bytes, other.bytes);
  }

  /** An independent copy with its own owner. */
  clone(): Secret {
    return Secret.copy(this.bytes);
  }

  /** Overwrites the bytes. Twice is fine. */
  [Symbol.dispose](): void {
    this.#bytes?.fill(0);
    this.#bytes = undefined;
  }

  toString(): string {
    return placeholder;
  }

  toJSON(): string {
    return placeholder;
  }

  static {
    Object.defineProperty(this.prototype, inspected, { value: () => placeholder });
  }
}
