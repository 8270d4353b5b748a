import type { Socket } from 'node:net';

import { addressGroup, endsOf, type Ends } from './peer-address.ts';

export type ServedLimits = {
  readonly max: number;
  /** Of one address; of IPv6, of one network of 64 bits. */
  readonly maxPerAddress: number;
};

type Group = Map<string, Socket>;

/**
 * The connections whose handshake is over, of peers that come, ask and go: where an address has too many, its oldest one ends, and
 * where there are too many in all, the oldest one of the address that has most.
 */
export class Served {
  readonly #limits: ServedLimits;
  readonly #groups = new Map<string, Group>();

  constructor(limits: ServedLimits) {
    this.#limits = limits;
  }

  /** Counts it until it is closed. */
  add(socket: Socket): void {
    const ends = endsOf(socket);
    if (ends === undefined) return; // gone already
    const name = addressGroup(socket.remoteAddress);
    const group = this.#groups.get(name) ?? new Map<string, Socket>();
    this.#groups.set(name, group);
    group.set(ends, socket);
    socket.once('close', () => this.#forget(name, ends, socket));
    const { max, maxPerAddress } = this.#limits;
    if (group.size > maxPerAddress) this.#endOldest(name, group);
    const groups = [...this.#groups];
    const count = groups.reduce((sum, [, each]) => sum + each.size, 0);
    if (count <= max) return;
    const [largest, most] = groups.reduce((left, right) => (right[1].size > left[1].size ? right : left));
    this.#endOldest(largest, most);
  }

  /** Hangs up on the connection with these ends, if it is there. */
  end(connection: Ends): void {
    this.release(connection)?.destroy();
  }

  /** Counts the connection with these ends no more. @returns undefined when it is not there. */
  release(connection: Ends): Socket | undefined {
    const ends = endsOf(connection) ?? '';
    const name = addressGroup(connection.remoteAddress);
    const socket = this.#groups.get(name)?.get(ends);
    if (socket !== undefined) this.#forget(name, ends, socket);
    return socket;
  }

  #endOldest(name: string, group: Group): void {
    for (const [ends, socket] of group) {
      this.#forget(name, ends, socket);
      socket.destroy();
      return;
    }
  }

  #forget(name: string, ends: string, socket: Socket): void {
    const group = this.#groups.get(name);
    if (group?.get(ends) !== socket) return;
    group.delete(ends);
    if (group.size === 0) this.#groups.delete(name);
  }
}
