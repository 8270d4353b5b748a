import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

import { datagramIn } from '@nodecore/native/netns';
import { type Clock, systemClock } from '@nodecore/waiting';

import type { Namespace } from './namespace.ts';
import type { SocketAddress } from './spec.ts';

/** Bounds of a door for datagrams, and where it leads. */
export type FlowLimits = {
  /** A flow without datagrams for so many milliseconds ends; default a minute. */
  readonly idleMs?: number;
  /** Each has a socket; with more than so many the one that is idle for the longest ends. Default 1024. */
  readonly most?: number;
  readonly clock?: Clock;
  /** Makes a bound socket from which the target is reached; default in the namespace of this process. */
  readonly socketFor?: (target: SocketAddress) => Promise<Socket>;
};

/** Bytes that wait in a socket for the kernel; datagrams beyond it are lost, as they are on any full line. */
const longestQueueBytes = 4 << 20;

/** Datagrams of a flow that wait for its socket; those beyond are lost. */
const longestWait = 64;

/** Until it has a socket, what came waits. */
type Flow = { socket?: Socket; readonly waiting: Buffer[]; lastMs: number };

/**
 * Carries datagrams from a door to a target and the answers back. Whoever sends has a flow of its own, an own port towards
 * the target, so that answers find their way; who asks again after a flow has ended gets another.
 */
export class DatagramDoor implements Disposable {
  readonly #door: Socket;
  readonly #target: SocketAddress;
  readonly #idleMs: number;
  readonly #most: number;
  readonly #clock: Clock;
  readonly #socketFor: (target: SocketAddress) => Promise<Socket>;
  /** By who sends; those that are idle for the longest first. */
  readonly #flows = new Map<string, Flow>();
  readonly #ended = new AbortController();
  #isWatched = false;

  /** @param door bound; it is closed with this. */
  constructor(door: Socket, target: SocketAddress, limits: FlowLimits = {}) {
    this.#door = door;
    this.#target = target;
    this.#idleMs = limits.idleMs ?? 60_000;
    this.#most = limits.most ?? 1024;
    this.#clock = limits.clock ?? systemClock;
    this.#socketFor = limits.socketFor ?? socketHere;
    door.on('message', (data, from) => this.#carry(data, from));
    door.on('error', () => {}); // what it sent found nobody: who asked is gone
  }

  /** How many there are. */
  get flows(): number {
    return this.#flows.size;
  }

  [Symbol.dispose](): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#door.close();
    for (const [key, flow] of this.#flows) this.#close(key, flow);
  }

  #carry(data: Buffer, from: RemoteInfo): void {
    const flow = this.#flowOf(from);
    if (flow.socket !== undefined) this.#send(flow.socket, data);
    else if (flow.waiting.length < longestWait) flow.waiting.push(data);
  }

  #send(socket: Socket, data: Buffer): void {
    if (socket.getSendQueueSize() > longestQueueBytes) return;
    socket.send(data, this.#target.port, this.#target.address);
  }

  #flowOf(from: RemoteInfo): Flow {
    const key = `${from.address} ${from.port}`;
    const flow = this.#flows.get(key) ?? this.#begin(key, from);
    this.#touch(key, flow);
    return flow;
  }

  #begin(key: string, from: RemoteInfo): Flow {
    const [oldest] = this.#flows;
    if (oldest !== undefined && this.#flows.size >= this.#most) this.#close(...oldest);
    const flow: Flow = { waiting: [], lastMs: this.#clock.now() };
    this.#flows.set(key, flow);
    void this.#socketFor(this.#target).then(
      (socket) => this.#lead(key, flow, socket, from),
      () => this.#close(key, flow), // no more sockets, or nowhere to make one
    );
    if (!this.#isWatched) void this.#endIdle();
    return flow;
  }

  /** The flow has its socket. */
  #lead(key: string, flow: Flow, socket: Socket, from: RemoteInfo): void {
    if (this.#flows.get(key) !== flow) return void socket.close();
    flow.socket = socket;
    socket.on('message', (data, { address, port }) => {
      // Its port is open to all of the network: what others say is no answer.
      if (address !== this.#target.address || port !== this.#target.port) return;
      if (this.#flows.get(key) === flow) this.#touch(key, flow);
      if (this.#door.getSendQueueSize() <= longestQueueBytes) this.#door.send(data, from.port, from.address);
    });
    socket.on('error', () => this.#close(key, flow)); // no such host
    for (const data of flow.waiting.splice(0)) this.#send(socket, data);
  }

  #touch(key: string, flow: Flow): void {
    flow.lastMs = this.#clock.now();
    this.#flows.delete(key);
    this.#flows.set(key, flow);
  }

  #close(key: string, flow: Flow): void {
    if (this.#flows.get(key) !== flow) return;
    this.#flows.delete(key);
    flow.socket?.close();
  }

  /** Runs while there are flows. */
  async #endIdle(): Promise<void> {
    this.#isWatched = true;
    for (let [oldest] = this.#flows; oldest !== undefined; [oldest] = this.#flows) {
      const leftMs = oldest[1].lastMs + this.#idleMs - this.#clock.now();
      if (leftMs <= 0) this.#close(...oldest);
      else await this.#clock.sleep(leftMs, this.#ended.signal).catch(() => {}); // the door is closed
    }
    this.#isWatched = false;
  }
}

/** Opens a door of the host to an address in a namespace. @throws {Error} with the code `EADDRINUSE` */
export async function openDatagramDoor(
  listen: SocketAddress,
  target: SocketAddress,
  namespace: Namespace,
): Promise<DatagramDoor> {
  const socketFor = async (): Promise<Socket> => {
    const type = typeFor(target);
    const fd = await datagramIn(namespace.files(), type);
    return createSocket(type).bind({ fd }); // it is at its port already: nothing is waited for
  };
  return new DatagramDoor(await bound(listen, listen), target, { socketFor });
}

async function socketHere(target: SocketAddress): Promise<Socket> {
  return await bound(target, { port: 0 });
}

async function bound(like: SocketAddress, at: Partial<SocketAddress>): Promise<Socket> {
  const socket = createSocket(typeFor(like));
  socket.bind({ ...at, exclusive: true });
  await once(socket, 'listening');
  return socket;
}

function typeFor({ address }: SocketAddress): 'udp4' | 'udp6' {
  return isIPv6(address) ? 'udp6' : 'udp4';
}
