import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';

import { type Ends, endsOf } from '@nodecore/listener';
import type { Clock } from '@nodecore/waiting';

import type { Caller } from './caller.ts';
import { Connection, type EndReason } from './connection.ts';
import type { ConnectionLimits } from './limits.ts';

export type ConnectionsParts = {
  readonly limits: ConnectionLimits;
  readonly clock: Pick<Clock, 'now'>;
  /** Is told of each connection that is refused or ended by us. */
  readonly ended: (reason: EndReason, caller: Caller, peer: string) => void;
  /** Is told of each stream before gRPC reads its headers, and may change them. */
  readonly opened?: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;
};

/** What Node.js exposes of a stream. */
type Opened = { readonly stream: ServerHttp2Stream; readonly headers: IncomingHttpHeaders };

/** How often their ages are looked at. */
const sweepMs = 1_000;

/** gRPC owns the HTTP/2 sessions and gives no access to them; Node.js announces each stream on this channel. */
const streamsChannel = 'http2.server.stream.created';

/**
 * The connections whose handshake is over. Each belongs to a peer, by certificate or address, and no peer gets all of them:
 * when a budget is full, connections without calls are ended, and only administrators take what is reserved for them.
 */
export class Connections {
  readonly #parts: ConnectionsParts;
  /** By both ends, in the order in which they came. */
  readonly #all = new Map<string, Connection>();
  /** Until when an identity is refused. */
  readonly #penalties = new Map<string, number>();
  #sweeper: NodeJS.Timeout | undefined;
  readonly #onStream = (message: unknown): void => this.#follow(message as Opened);

  constructor(parts: ConnectionsParts) {
    this.#parts = parts;
    subscribe(streamsChannel, this.#onStream);
  }

  get size(): number {
    return this.#all.size;
  }

  /** The connection of a call or stream; undefined when it is gone. */
  of(ends: Ends): Connection | undefined {
    return this.#all.get(endsOf(ends) ?? '');
  }

  /** @returns why it is not taken; then it is the caller's to end. */
  add(socket: TLSSocket, caller: Caller): EndReason | undefined {
    const { limits, clock } = this.#parts;
    const ends = endsOf(socket);
    if (ends === undefined) return 'idle'; // gone already
    const nowMs = clock.now();
    const refusal = this.#makeRoom(caller, nowMs);
    if (refusal !== undefined) {
      this.#parts.ended(refusal, caller, String(socket.remoteAddress));
      return refusal;
    }
    const connection = new Connection(socket, { caller, ends, resets: limits.resets, nowMs });
    this.#all.set(ends, connection);
    socket.once('close', () => {
      if (this.#all.get(ends) === connection) this.#all.delete(ends);
    });
    this.#sweeper ??= setInterval(() => this.sweep(), sweepMs).unref();
    return undefined;
  }

  end(connection: Connection, reason: EndReason): void {
    if (!this.#all.delete(connection.ends)) return;
    this.#parts.ended(reason, connection.caller, String(connection.socket.remoteAddress));
    connection.end(reason);
  }

  /** Those that are there now. */
  present(): readonly Connection[] {
    return [...this.#all.values()];
  }

  /** Ends what has been idle for too long, and whose certificate is over. */
  sweep(): void {
    const { limits, clock } = this.#parts;
    const nowMs = clock.now();
    for (const connection of this.#all.values()) {
      connection.closeAnswered();
      connection.idleSinceMs = Math.min(connection.idleSinceMs, nowMs); // the clock may be set back
      const { caller, isIdle, hasCalled, idleSinceMs } = connection;
      const most = hasCalled ? limits.idleMs : limits.firstCallMs;
      const isOver = isIdle && nowMs - idleSinceMs >= most;
      if (nowMs >= caller.expiresMs) this.end(connection, 'certificate-expired');
      else if (isOver && connection.isOver) this.end(connection, 'idle');
      // A loop that stood still runs its timers first: what a client has sent meanwhile is read before the next look.
      connection.isOver = isOver;
    }
    for (const identity of this.#penalties.keys())
      if (!this.#isPenalised(identity, nowMs)) this.#penalties.delete(identity);
    if (this.#all.size > 0 || this.#penalties.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  /** Forgets them all; they are gRPC's to end. */
  close(): void {
    unsubscribe(streamsChannel, this.#onStream);
    clearInterval(this.#sweeper);
    this.#all.clear();
  }

  /** A penalty that would be longer than it ever is began before the clock was set back. */
  #isPenalised(identity: string, nowMs: number): boolean {
    const leftMs = (this.#penalties.get(identity) ?? 0) - nowMs;
    return leftMs > 0 && leftMs <= this.#parts.limits.penaltyMs;
  }

  #makeRoom(caller: Caller, nowMs: number): EndReason | undefined {
    const { max, reserved, maxPerIdentity } = this.#parts.limits;
    if (this.#isPenalised(caller.identity, nowMs)) return 'penalised';
    const own = [...this.#all.values()].filter((each) => each.caller.identity === caller.identity);
    if (own.length >= maxPerIdentity && !this.#evict(own, 'identity-full')) return 'identity-full';
    const others = [...this.#all.values()].filter((each) => !mayTakeReserved(each.caller));
    if (mayTakeReserved(caller)) {
      if (this.#all.size < max || this.#evict(others, 'server-full')) return undefined;
      const oldest = others[0];
      if (oldest === undefined) return 'server-full';
      this.end(oldest, 'server-full');
      return undefined;
    }
    if (others.length < max - reserved || this.#evict(others, 'server-full')) return undefined;
    return 'server-full';
  }

  /** Ends the one that has been idle longest. @returns false when there is none. */
  #evict(candidates: readonly Connection[], reason: EndReason): boolean {
    const idle = candidates.filter(({ isIdle }) => isIdle);
    const oldest = idle.toSorted((left, right) => left.idleSinceMs - right.idleSinceMs)[0];
    const { newestWins } = this.#parts.limits;
    const victim = oldest ?? (newestWins ? candidates.find(({ kept }) => kept === 0) : undefined);
    if (victim === undefined) return false;
    this.end(victim, reason);
    return true;
  }

  #follow({ stream, headers }: Opened): void {
    const { session } = stream;
    const connection = session === undefined || session.destroyed ? undefined : this.of(session.socket);
    if (connection === undefined) return;
    connection.opened(stream);
    this.#parts.opened?.(stream, headers);
    stream.once('close', () => {
      const nowMs = this.#parts.clock.now();
      connection.closed(stream, nowMs);
      const wasReset = stream.rstCode !== constants.NGHTTP2_NO_ERROR || stream.aborted;
      if (!wasReset || connection.caller.isImpersonator || !connection.hasResetTooMany(nowMs)) return;
      const { penaltyMs } = this.#parts.limits;
      if (penaltyMs > 0) this.#penalties.set(connection.caller.identity, nowMs + penaltyMs);
      this.end(connection, 'too-many-resets');
    });
  }
}

/** A node comes with calls of administrators, too, and cancels what its own callers have cancelled: it has counted them. */
function mayTakeReserved({ isAdmin, isImpersonator }: Caller): boolean {
  return isAdmin || isImpersonator;
}
