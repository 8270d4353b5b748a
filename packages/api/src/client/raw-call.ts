import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Failure } from './failure.ts';
import { type Ending, failureOf, hasStatus } from './stream-status.ts';

/** 2 MiB keep a server busy; 8 are safe. Of both windows, stream and connection: the smaller one counts. */
const windowBytes = 8 << 20;
/** What may wait for the reader, nearly; the rest waits where the windows end. */
const waitingBytes = 1 << 20;
/** A connection that has not answered a ping when the next is due is gone without a word. */
const pingMs = 20_000;

/** Who takes what a call brings. */
export type RawReceiver = {
  /** Bytes that are not asked for yet. */
  readonly waiting: number;
  /** May throw: the call is over then. */
  push(chunk: Buffer): void;
  /** Nothing more comes. */
  end(failure?: unknown): void;
};

export type RawRequest = {
  /** `host:port` */
  readonly endpoint: string;
  /** `:path`, and what is not the same for all calls. */
  readonly headers: Readonly<Record<string, string>>;
  /** The request as gRPC frames it. */
  readonly body: Uint8Array;
  readonly receiver: RawReceiver;
};

/** One call of gRPC by HTTP/2 over a connection of its own, which it ends. Its content goes to a receiver as it comes. */
export class RawCall implements AsyncDisposable {
  readonly #socket: TLSSocket;
  readonly #session: ClientHttp2Session;
  readonly #stream: ClientHttp2Stream;
  readonly #receiver: RawReceiver;
  readonly #closed = Promise.withResolvers<void>();
  readonly #ping: NodeJS.Timeout;
  #headers: Ending['headers'];
  #trailers: IncomingHttpHeaders | undefined;
  #isAnswered = true;

  /** Sends the request. The socket is the call's from now on. */
  constructor(socket: TLSSocket, { endpoint, headers, body, receiver }: RawRequest) {
    this.#socket = socket;
    this.#receiver = receiver;
    this.#session = connect(`https://${endpoint}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: windowBytes },
    });
    this.#session.on('error', () => {}); // the stream ends with it
    this.#session.once('connect', () => this.#session.setLocalWindowSize(windowBytes));
    socket.once('close', () => this.#closed.resolve());
    this.#stream = this.#session.request({
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    this.#receive();
    this.#stream.end(body);
    this.#ping = setInterval(() => this.#lookForLife(), pingMs);
  }

  /** Reads on, when the receiver has room. */
  resume(): void {
    if (this.#stream.isPaused() && this.#receiver.waiting < waitingBytes) this.#stream.resume();
  }

  /** What the answer was, once the receiver was told of its end; undefined when it was a good one. */
  async failure(): Promise<Failure | undefined> {
    const { rstCode: closedWith, destroyed } = this.#stream;
    const answer = { headers: this.#headers, trailers: this.#trailers, closedWith };
    if (!hasStatus(answer) && this.#session.destroyed) {
      this.#socket.destroy(); // the session ends its own half, and waits for the other
      await this.#closed.promise; // what ended the connection is known then
    }
    return failureOf({ ...answer, dropped: destroyed && this.#session.destroyed });
  }

  /** Ends the connection, and the call when it goes on. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#ping);
    this.#session.destroy();
    this.#socket.destroy();
    await this.#closed.promise;
  }

  #receive(): void {
    const stream = this.#stream;
    stream.on('response', (headers) => {
      this.#headers = headers;
    });
    stream.on('trailers', (trailers) => {
      this.#trailers = trailers;
    });
    stream.on('data', (chunk: Buffer) => {
      try {
        this.#receiver.push(chunk);
      } catch (error) {
        this.#receiver.end(error);
        stream.destroy();
        return;
      }
      if (this.#receiver.waiting >= waitingBytes) stream.pause();
    });
    stream.on('error', () => {}); // 'close' follows
    stream.on('close', () => this.#receiver.end());
  }

  #lookForLife(): void {
    if (!this.#isAnswered) this.#socket.destroy();
    else if (!this.#session.destroyed) {
      this.#isAnswered = false;
      this.#session.ping(() => {
        this.#isAnswered = true;
      });
    }
  }
}
