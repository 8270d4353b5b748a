import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';

import { type Rate, TokenBucket } from '@nodecore/waiting';

import type { Caller } from './caller.ts';

/** Why a connection ends before its client wants it to; the label of a metric, so there are few. */
export type EndReason =
  | 'certificate-expired'
  | 'identity-full'
  | 'idle'
  | 'penalised'
  | 'role-less'
  | 'server-full'
  | 'slow-reader'
  | 'too-many-resets'
  | 'unauthenticated';

/** How long a client that was told the end may take to hear of it. */
const lingerMs = 1_000;

/** A connection whose handshake is over, and what it is doing. */
export class Connection {
  readonly socket: TLSSocket;
  readonly caller: Caller;
  readonly ends: string;
  readonly #resets: TokenBucket;
  /** Known from its first stream on: HTTP/2 is gRPC's. */
  #session: ServerHttp2Session | undefined;
  #ended = false;
  /** Streams that are open; of those that were answered whole, whether they were so at the last look, too. */
  readonly #streams = new Map<ServerHttp2Stream, boolean>();
  /** Calls that it must not be ended under, in favour of a new connection. */
  kept = 0;
  hasCalled = false;
  /** It was idle for too long at the last look. */
  isOver = false;
  /** When it began, or its last stream ended. */
  idleSinceMs: number;

  constructor(
    socket: TLSSocket,
    parts: {
      readonly caller: Caller;
      readonly ends: string;
      readonly resets: Rate;
      readonly nowMs: number;
    },
  ) {
    this.socket = socket;
    this.caller = parts.caller;
    this.ends = parts.ends;
    this.#resets = new TokenBucket(parts.resets, parts.nowMs);
    this.idleSinceMs = parts.nowMs;
  }

  get isIdle(): boolean {
    return this.#streams.size === 0;
  }

  opened(stream: ServerHttp2Stream): void {
    this.#session ??= stream.session as ServerHttp2Session | undefined;
    this.#streams.set(stream, false);
    this.hasCalled = true;
  }

  closed(stream: ServerHttp2Stream, nowMs: number): void {
    this.#streams.delete(stream);
    this.idleSinceMs = nowMs;
  }

  /** Closes streams that were answered some time ago, and whose callers do not end them: they would be kept. */
  closeAnswered(): void {
    for (const [stream, wasAnswered] of this.#streams) {
      if (!stream.writableFinished) continue;
      if (wasAnswered) stream.close(constants.NGHTTP2_NO_ERROR);
      else this.#streams.set(stream, true);
    }
  }

  /** @returns whether it has reset more streams than it may. */
  hasResetTooMany(nowMs: number): boolean {
    return !this.#resets.take(nowMs);
  }

  /** Tells the client why, where it can be told, and hangs up. Twice is fine. */
  end(reason: EndReason): void {
    if (this.#ended) return;
    this.#ended = true;
    const session = this.#session;
    if (session === undefined || session.destroyed) {
      this.socket.destroy();
      return;
    }
    const isFault = reason === 'slow-reader' || reason === 'too-many-resets';
    const code = isFault ? constants.NGHTTP2_ENHANCE_YOUR_CALM : constants.NGHTTP2_NO_ERROR;
    session.goaway(code, 0, Buffer.from(reason));
    if (isFault) session.destroy();
    else session.close();
    setTimeout(() => this.socket.destroy(), isFault ? 0 : lingerMs).unref();
  }
}
