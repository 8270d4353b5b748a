import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIP, type Server, type Socket } from 'node:net';

import { DnsError } from './errors.ts';
import type { Forwarder } from './forwarder.ts';
import { frame, FrameReader } from './frames.ts';
import { codes, Message } from './message.ts';
import type { UpstreamAddress } from './upstream.ts';

/** Where the stub listens, by UDP and TCP. */
export type StubAddress = { readonly address: string; readonly port: number };

/** Questions of all clients that wait for an answer; more are dropped over UDP, and refused over TCP. */
const mostWaiting = 1024;
const mostConnections = 128;
const idleMs = 10_000;

/** A host's DNS stub on one address: takes questions, and answers them by a forwarder. */
export class Stub implements AsyncDisposable {
  readonly address: StubAddress;
  readonly #forwarder: Forwarder;
  readonly #udp: UdpSocket;
  readonly #tcp: Server;
  readonly #connections = new Set<Socket>();
  #waiting = 0;
  #dropped = 0;
  #isClosed = false;

  private constructor(address: StubAddress, forwarder: Forwarder, udp: UdpSocket, tcp: Server) {
    this.address = address;
    this.#forwarder = forwarder;
    this.#udp = udp;
    this.#tcp = tcp;
    udp.on('message', (bytes, from) => void this.#hear(bytes, from));
    udp.on('error', () => {}); // of one datagram: a client that has gone
    tcp.maxConnections = mostConnections;
    tcp.on('connection', (socket) => this.#serve(socket));
  }

  /** Listens by UDP and TCP. Port 0: the same free one for both. @throws {Error} `EADDRINUSE`, `EACCES`. */
  static async listen({ address, port }: StubAddress, forwarder: Forwarder): Promise<Stub> {
    const tcp = createServer();
    tcp.listen({ host: address, port });
    await once(tcp, 'listening');
    const bound = (tcp.address() as { readonly port: number }).port;
    const udp = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
    try {
      udp.bind(bound, address);
      await once(udp, 'listening');
    } catch (error) {
      tcp.close();
      throw error;
    }
    return new Stub({ address, port: bound }, forwarder, udp, tcp);
  }

  /** Questions that were not answered because too many waited. */
  get dropped(): number {
    return this.#dropped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const closed = Promise.all([once(this.#udp, 'close'), once(this.#tcp, 'close')]);
    this.#udp.close();
    this.#tcp.close();
    for (const socket of this.#connections) socket.destroy();
    await closed;
  }

  async #hear(bytes: Buffer, from: RemoteInfo): Promise<void> {
    const query = queryOf(bytes);
    if (query === undefined) return;
    const answer = await this.#answer(query);
    if (answer === undefined || this.#isClosed) return;
    const fits = answer.length <= query.largestUdp;
    const told = fits ? answer : query.answerWith(answer.readUInt16BE(2) & 0xf, { truncated: true });
    this.#udp.send(told, from.port, from.address, () => {}); // a client that has gone is nobody's failure
  }

  #serve(socket: Socket): void {
    this.#connections.add(socket);
    const reader = new FrameReader((bytes) => {
      const query = queryOf(bytes);
      if (query === undefined) socket.destroy();
      else void this.#answerOver(socket, query);
    });
    socket.setTimeout(idleMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#connections.delete(socket));
    socket.on('data', (chunk: Buffer) => reader.feed(chunk));
  }

  async #answerOver(socket: Socket, query: Message): Promise<void> {
    const answer = await this.#answer(query);
    socket.write(frame(answer ?? query.answerWith(codes.serverFailure)));
  }

  /** @returns undefined when too many wait already. */
  async #answer(query: Message): Promise<Buffer | undefined> {
    if (query.opcode !== 0) return query.answerWith(codes.notImplemented);
    if (this.#waiting >= mostWaiting) {
      this.#dropped++;
      return undefined;
    }
    this.#waiting++;
    try {
      return await this.#forwarder.answer(query);
    } catch {
      return query.answerWith(codes.serverFailure); // why is in the health of the upstreams
    } finally {
      this.#waiting--;
    }
  }
}

/** An answer that comes to a stub is none of its business: answering it would be the begin of a loop. */
function queryOf(bytes: Buffer): Message | undefined {
  try {
    const message = new Message(bytes);
    return message.isResponse ? undefined : message;
  } catch {
    return undefined;
  }
}

/** @throws {DnsError} `ERR_DNS_LOOP` when an upstream is one of the addresses that the stub listens on. */
export function checkLoop(
  upstreams: readonly Pick<UpstreamAddress, 'address' | 'port'>[],
  stubs: readonly StubAddress[],
): void {
  for (const { address, port = 53 } of upstreams)
    if (stubs.some((stub) => stub.address === address && stub.port === port))
      throw new DnsError('ERR_DNS_LOOP', `${address} is the stub of this host: it would ask itself`);
}
