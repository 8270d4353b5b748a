import { addon } from './addon.ts';
import { translated } from './errors.ts';
import type { AddonHttp2Call } from './http2-addon.ts';
import { http2Answer, type Http2Answer } from './http2-answer.ts';

/** The call: `http` or `https`, `host:port`, the method's path, and its one message as gRPC frames it. */
export type Http2Request = {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly body: Uint8Array;
  /** Header fields beside those that every call of gRPC has. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Of stream and connection: how much the server sends before it is consumed. */
  readonly windowBytes: number;
};

const outputSign = 1;
const overSign = 2;

/** A call of gRPC without its connection: bytes in, bytes out. The windows open when content is consumed. */
export class Http2Call {
  readonly #native: AddonHttp2Call;

  constructor({ scheme, authority, path, body, metadata = {}, windowBytes }: Http2Request) {
    const { Http2Call: Native } = addon();
    const fields = Object.entries(metadata).flat();
    this.#native = translated(
      authority,
      () => new Native(scheme, authority, path, body, fields, windowBytes),
    );
  }

  /**
   * Takes the first bytes of a buffer, which the connection has filled. The content among them goes to the beginning of `into`,
   * which has to be as long as the bytes are. @returns how much that is.
   */
  feed(buffer: Uint8Array, bytes: number, into: Uint8Array): number {
    return this.#native.feed(buffer, bytes, into);
  }

  /** So much of the content is dealt with: the server may send as much again. */
  consume(bytes: number): void {
    this.#native.consume(bytes);
  }

  /** Asks the server for a sign of life. */
  ping(): void {
    this.#native.ping();
  }

  /** There is {@link output}. */
  get hasOutput(): boolean {
    return (this.#native.signs() & outputSign) !== 0;
  }

  /** Nothing more is to come. */
  get isOver(): boolean {
    return (this.#native.signs() & overSign) !== 0;
  }

  /** What is to be sent over the connection, once. */
  output(): Buffer {
    return this.#native.output();
  }

  answer(): Http2Answer {
    return http2Answer(this.#native.end(), this.isOver);
  }
}
