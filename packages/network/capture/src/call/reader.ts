import type { Socket } from 'node:net';

import { Http2Call, type Http2Request } from '@nodecore/native/http2';

import { Inbox } from './inbox.ts';
import type { LentCallAnswer } from './lent-call.ts';
import { Watch, type WatchTimes } from './watch.ts';

/** What may be on its way before it is read. */
const windowBytes = 4 << 20;

/** One call over a connection of its own: what comes, what is answered, and how it ends. */
export class CallReader {
  readonly #http2: Http2Call;
  readonly #inbox = new Inbox();
  readonly #watch: Watch;
  #socket: Socket | undefined;
  /** Content for which the windows were not opened again. */
  #owed = 0;
  #isOver = false;
  #failure: unknown;
  #changed = Promise.withResolvers<void>();

  constructor(request: Omit<Http2Request, 'windowBytes'>, times: WatchTimes) {
    this.#http2 = new Http2Call({ ...request, windowBytes });
    this.#watch = new Watch(times, {
      ask: () => {
        this.#http2.ping();
        this.#send();
      },
      lost: () => this.#socket?.destroy(),
    });
  }

  /** Takes what the connection has put into a buffer. Never throws: nobody would catch it there. */
  take(buffer: Uint8Array, bytes: number): boolean {
    if (this.#isOver) return false;
    try {
      this.#watch.heard();
      const taken = this.#http2.feed(buffer, bytes, this.#inbox.room(bytes));
      this.#inbox.took(taken);
      this.#owed += taken;
      if (!this.#inbox.hasMessage) this.#openWindows();
      this.#send();
      if (this.#http2.isOver || this.#inbox.fault !== undefined) this.#isOver = true;
      if (this.#isOver || this.#inbox.hasMessage) this.#changed.resolve();
    } catch (error) {
      this.#end(error);
    }
    return !this.#isOver;
  }

  /** What comes over the connection, until the answer or the connection is over. */
  async *messages(socket: Socket): AsyncGenerator<Uint8Array, void, void> {
    this.#socket = socket;
    socket.on('error', () => {}); // 'close' follows, and the connector has the reason
    socket.on('drain', () => this.#send());
    socket.once('close', () => this.#end());
    using _ = this.#watch.begin();
    if (socket.destroyed) this.#end();
    this.#send();
    for (;;) {
      const message = this.#inbox.fault === undefined ? this.#inbox.message() : undefined;
      if (message !== undefined) {
        this.#openWindows();
        this.#send();
        yield message;
      } else if (this.#isOver) {
        if (this.#failure !== undefined) throw this.#failure;
        return;
      } else {
        await this.#changed.promise;
        this.#changed = Promise.withResolvers<void>();
      }
    }
  }

  answer(): LentCallAnswer {
    const { fault, isWhole } = this.#inbox;
    return { ...this.#http2.answer(), fault, isWhole };
  }

  #end(failure?: unknown): void {
    this.#isOver = true;
    this.#failure ??= failure;
    this.#changed.resolve();
  }

  #openWindows(): void {
    if (this.#owed > 0) this.#http2.consume(this.#owed);
    this.#owed = 0;
  }

  /** What is to be sent, unless what was sent before waits still: a server that reads nothing is not answered for ever. */
  #send(): void {
    const socket = this.#socket;
    if (socket === undefined || socket.writableNeedDrain || socket.destroyed) return;
    if (this.#http2.hasOutput) socket.write(this.#http2.output());
  }
}
