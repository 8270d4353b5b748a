import type { Socket } from 'node:net';

import type { HandshakeLimits } from './limits.ts';
import { addressGroup, endsOf } from './peer-address.ts';

/** Why a connection was ended before it has shown who it is; the label of a metric, so there are few. */
export type EvictionReason = 'handshake-evicted-address' | 'handshake-evicted-total' | 'handshake-silent';

/** It has not said hello; it has, and waits for its turn; its TLS is at work; it is over, and was not let in. */
type State = 'silent' | 'waiting' | 'running' | 'dismissed';

type Pending = {
  readonly ends: string;
  readonly socket: Socket;
  readonly group: Group;
  readonly begin: () => void;
  readonly sinceMs: number;
  state: State;
};

/** Those of one address by state; of each state in the order in which they came to it. */
class Group implements Readonly<Record<State, ReadonlySet<Pending>>> {
  readonly name: string;
  readonly silent: Set<Pending> = new Set();
  readonly waiting: Set<Pending> = new Set();
  readonly running: Set<Pending> = new Set();
  readonly dismissed: Set<Pending> = new Set();

  constructor(name: string) {
    this.name = name;
  }

  get size(): number {
    return this.silent.size + this.waiting.size + this.running.size + this.dismissed.size;
  }
}

/** Who goes first when there are too many: who is not let in, then who says nothing, then the others. */
const order: readonly State[] = ['dismissed', 'silent', 'waiting', 'running'];
/**
 * For how long each stays in any case, unless there are far too many: a hello that was sent with the connection comes within it,
 * also when many connect at once; a turn comes; and what was begun, and paid for, gets to its end.
 */
const graceMs: Readonly<Record<State, number>> = {
  dismissed: 250,
  silent: 250,
  waiting: 1_000,
  running: 2_000,
};
/** Header of a TLS record: type, version, length. */
const headerBytes = 5;
/** Of a record: RFC 8446, 5.1. */
const handshakeType = 22;
/** RFC 8446, 5.1. */
const largestRecordBytes = headerBytes + (1 << 14);

/**
 * The connections that have not shown yet who they are. Any peer can make them, so few are kept, and each turn of the loop
 * begins few: the calls of the others are served in between. A connection that has sent nothing, or half a hello, costs no more
 * than a socket. Of those that wait the newest has its turn first, and when there are too many the oldest go: an honest
 * handshake is done in a few round trips.
 */
export class Handshakes {
  /** By both ends. */
  readonly #pending = new Map<string, Pending>();
  readonly #groups = new Map<string, Group>();
  readonly #limits: HandshakeLimits;
  readonly #evicted: (socket: Socket, reason: EvictionReason) => void;
  readonly #now: () => number;
  #turn: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;

  /** @param now in milliseconds, never back. */
  constructor(
    limits: HandshakeLimits,
    evicted: (socket: Socket, reason: EvictionReason) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#evicted = evicted;
    this.#now = now;
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
    const group = this.#group(addressGroup(socket.remoteAddress));
    const pending: Pending = { ends, socket, group, begin, sinceMs: this.#now(), state: 'silent' };
    this.#pending.set(ends, pending);
    group.silent.add(pending);
    const { deadlineMs } = this.#limits;
    // The timer may run because the loop stood still: what was sent may be there, unread, so there is a second one.
    let timer = setTimeout(() => {
      timer = setTimeout(() => this.#end(pending, 'handshake-silent'), deadlineMs);
    }, deadlineMs);
    awaitHello(socket, () => {
      clearTimeout(timer);
      move(pending, 'waiting');
      this.#soon();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      this.#forget(pending);
    });
    this.#soon();
  }

  /** Its handshake is over. */
  done(ends: string): void {
    const pending = this.#pending.get(ends);
    if (pending !== undefined) this.#forget(pending);
  }

  /** Its handshake is over, and it is not let in; it counts until it is closed. */
  dismissed(ends: string): void {
    const pending = this.#pending.get(ends);
    if (pending !== undefined) move(pending, 'dismissed');
  }

  /** Ends them all. */
  close(): void {
    clearImmediate(this.#turn);
    clearTimeout(this.#later);
    for (const { socket } of this.#pending.values()) socket.destroy();
  }

  #group(name: string): Group {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const group = new Group(name);
    this.#groups.set(name, group);
    return group;
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
    let stacks = [...this.#groups.values()].map(({ waiting }) => [...waiting]);
    for (let left = this.#limits.maxPerTurn; left > 0;) {
      stacks = stacks.filter((stack) => stack.length > 0);
      if (stacks.length === 0) return;
      for (const stack of stacks) {
        const pending = stack.pop();
        if (pending === undefined || left === 0) continue;
        left -= 1;
        move(pending, 'running');
        pending.begin();
      }
    }
    if (stacks.some((stack) => stack.length > 0)) this.#soon();
  }

  #trim(): void {
    clearTimeout(this.#later);
    const { max, maxPerAddress } = this.#limits;
    const nowMs = this.#now();
    let isOver = false;
    for (const group of this.#groups.values())
      isOver = !this.#cut(group, maxPerAddress, nowMs, 'handshake-evicted-address') || isOver;
    while (this.#pending.size > max) {
      // The address with the most of them loses some, so that one address does not push out the others.
      const groups = [...this.#groups.values()];
      const largest = groups.reduce((most, group) => (group.size > most.size ? group : most));
      isOver = !this.#cut(largest, largest.size - 1, nowMs, 'handshake-evicted-total');
      if (isOver) break;
    }
    if (isOver) this.#later = setTimeout(() => this.#trim(), graceMs.silent);
  }

  /** Leaves as many, and for a moment those that came just now. @returns false when more are left. */
  #cut(group: Group, most: number, nowMs: number, reason: EvictionReason): boolean {
    for (const state of order)
      for (const victim of group[state]) {
        if (group.size <= most) return true;
        const isFar = group.size > 4 * most && state !== 'running';
        if (!isFar && nowMs - victim.sinceMs < graceMs[state]) break;
        this.#end(victim, reason);
      }
    return group.size <= most;
  }

  #end(pending: Pending, reason: EvictionReason): void {
    this.#forget(pending);
    pending.socket.destroy();
    this.#evicted(pending.socket, reason);
  }

  /** Twice is fine. */
  #forget(pending: Pending): void {
    const { ends, group } = pending;
    if (this.#pending.get(ends) !== pending) return;
    this.#pending.delete(ends);
    group[pending.state].delete(pending);
    if (group.size === 0) this.#groups.delete(group.name);
  }
}

function move(pending: Pending, state: State): void {
  pending.group[pending.state].delete(pending);
  pending.group[state].add(pending);
  pending.state = state;
}

/** Calls back when the first record is there as a whole; its bytes are left to be read again. */
function awaitHello(socket: Socket, done: () => void): void {
  let bytes = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const wanted = bytes.length < headerBytes ? headerBytes : headerBytes + bytes.readUInt16BE(3);
    // What is no handshake is refused at once by who reads it.
    if (bytes[0] === handshakeType && bytes.length < Math.min(wanted, largestRecordBytes)) return;
    socket.off('data', take).pause();
    socket.unshift(bytes);
    done();
  };
  socket.on('data', take);
}
