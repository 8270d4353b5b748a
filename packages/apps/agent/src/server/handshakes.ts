import type { Socket } from 'node:net';

import type { HandshakeLimits } from './limits.ts';
import { addressGroup, endsOf } from './peer-address.ts';

/** Why a connection was ended before it has shown who it is; the label of a metric, so there are few. */
export type EvictionReason = 'handshake-evicted-address' | 'handshake-evicted-total' | 'handshake-silent';

type Pending = {
  readonly ends: string;
  readonly socket: Socket;
  readonly group: string;
  readonly begin: () => void;
  readonly sinceMs: number;
  /** It has not said hello; it has, and waits for its turn; its TLS is at work; it is over, and was not let in. */
  state: 'silent' | 'waiting' | 'running' | 'dismissed';
};

/** Within it a hello comes that was sent with the connection, also when many connect at once. */
const graceMs = 250;
/** Header of a TLS record: type, version, length. */
const headerBytes = 5;
/** RFC 8446, 5.1. */
const largestRecordBytes = headerBytes + (1 << 14);

/**
 * The connections that have not shown yet who they are. Any peer can make them, so few are kept, and each turn of the loop
 * begins few: the calls of the others are served in between. A connection that has sent nothing, or half a hello, costs no more
 * than a socket. Of those that wait the newest has its turn first, and when there are too many the oldest go: an honest
 * handshake is done in a few round trips.
 */
export class Handshakes {
  /** By both ends, in the order in which they came. */
  readonly #pending = new Map<string, Pending>();
  readonly #limits: HandshakeLimits;
  readonly #evicted: (socket: Socket, reason: EvictionReason) => void;
  #turn: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;

  constructor(limits: HandshakeLimits, evicted: (socket: Socket, reason: EvictionReason) => void) {
    this.#limits = limits;
    this.#evicted = evicted;
  }

  get count(): number {
    return this.#pending.size;
  }

  /** Counts it until it is done or closed. @param begin starts its TLS, when it has said hello and its turn has come. */
  add(socket: Socket, begin: () => void): void {
    const ends = endsOf(socket);
    if (ends === undefined) {
      socket.destroy(); // gone already
      return;
    }
    const group = addressGroup(socket.remoteAddress);
    const pending: Pending = { ends, socket, group, begin, sinceMs: performance.now(), state: 'silent' };
    this.#pending.set(ends, pending);
    const { deadlineMs } = this.#limits;
    // The timer may run because the loop stood still: what was sent may be there, unread, so there is a second one.
    let timer = setTimeout(() => {
      timer = setTimeout(() => this.#end(pending, 'handshake-silent'), deadlineMs);
    }, deadlineMs);
    awaitHello(socket, () => {
      clearTimeout(timer);
      pending.state = 'waiting';
      this.#soon();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      if (this.#pending.get(ends) === pending) this.#pending.delete(ends);
    });
    this.#soon();
  }

  /** Its handshake is over. */
  done(ends: string): void {
    this.#pending.delete(ends);
  }

  /** Its handshake is over, and it is not let in; it counts until it is closed. */
  dismissed(ends: string): void {
    const pending = this.#pending.get(ends);
    if (pending !== undefined) pending.state = 'dismissed';
  }

  /** Ends them all. */
  close(): void {
    clearImmediate(this.#turn);
    clearTimeout(this.#later);
    for (const { socket } of this.#pending.values()) socket.destroy();
  }

  /** After all that has come was looked at: one that was accepted a moment ago may have said hello already. */
  #soon(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#begin();
      this.#trim();
    });
  }

  /** The newest of each address in turn, so that one address does not keep the others waiting. */
  #begin(): void {
    const groups = new Map<string, Pending[]>();
    for (const pending of this.#pending.values()) {
      if (pending.state !== 'waiting') continue;
      const list = groups.get(pending.group);
      if (list === undefined) groups.set(pending.group, [pending]);
      else list.push(pending);
    }
    let left = this.#limits.maxPerTurn;
    while (left > 0 && groups.size > 0) {
      for (const [group, list] of groups) {
        const pending = list.pop();
        if (list.length === 0) groups.delete(group);
        if (pending === undefined || left === 0) continue;
        left -= 1;
        pending.state = 'running';
        pending.begin();
      }
    }
    if (groups.size > 0) this.#soon();
  }

  #trim(): void {
    clearTimeout(this.#later);
    const { max, maxPerAddress } = this.#limits;
    const groups = Map.groupBy(this.#pending.values(), ({ group }) => group);
    for (const list of groups.values()) this.#cut(list, maxPerAddress, 'handshake-evicted-address');
    for (let before = Infinity; this.#pending.size > max && this.#pending.size < before;) {
      before = this.#pending.size;
      // The address with the most of them loses some, so that one address does not push out the others.
      const lists = Map.groupBy(this.#pending.values(), ({ group }) => group).values();
      const largest = [...lists].reduce((most, list) => (list.length > most.length ? list : most), []);
      this.#cut(largest, largest.length - 1, 'handshake-evicted-total');
    }
    const isOver =
      this.#pending.size > max || [...groups.values()].some((list) => list.length > maxPerAddress);
    if (isOver) this.#later = setTimeout(() => this.#trim(), graceMs);
  }

  /** Leaves as many, and for a moment those that came just now, unless they are far too many. */
  #cut(list: readonly Pending[], most: number, reason: EvictionReason): void {
    const nowMs = performance.now();
    let excess = list.length - most;
    let isFar = list.length > 4 * most;
    for (const victim of inOrder(list)) {
      if (excess <= 0) return;
      if (!isFar && nowMs - victim.sinceMs < graceMs) continue;
      this.#end(victim, reason);
      excess -= 1;
      isFar &&= excess > 3 * most;
    }
  }

  #end(pending: Pending, reason: EvictionReason): void {
    this.#pending.delete(pending.ends);
    pending.socket.destroy();
    this.#evicted(pending.socket, reason);
  }
}

/** Who goes first: who is not let in, then who says nothing, then the others; of each the oldest. */
function inOrder(list: readonly Pending[]): readonly Pending[] {
  const ranks = { dismissed: 0, silent: 1, waiting: 2, running: 2 };
  return list.toSorted((left, right) => ranks[left.state] - ranks[right.state]);
}

/** Calls back when the first record is there as a whole; its bytes are left to be read again. */
function awaitHello(socket: Socket, done: () => void): void {
  let bytes = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const wanted = bytes.length < headerBytes ? headerBytes : headerBytes + bytes.readUInt16BE(3);
    if (bytes.length < Math.min(wanted, largestRecordBytes)) return;
    socket.off('data', take).pause();
    socket.unshift(bytes);
    done();
  };
  socket.on('data', take);
}
