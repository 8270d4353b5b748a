import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import type { SocketAddress } from '@nodecore/lan';

import { ManagementController } from './controller.ts';
import type { Chassis } from './chassis.ts';
import { answerTo, type IpmiMessage, parseRequest } from './message.ts';
import { type Packet, packetBytes, parsePacket, payloads } from './packet.ts';
import { type Account, idBytes, proposedSuite, refusals, Session } from './session.ts';

/** A management controller that is listened to. */
export type IpmiServer = AsyncDisposable & { readonly port: number };

const mostSessions = 8;
/** After that long without a word a session is over (IPMI 2.0, 6.12.15). */
const idleMs = 60_000;
/** Larger than anything that a client has to say. */
const largestBytes = 512;
/** RMCP's question whether somebody is here (13.2.3), without its tag, and what is behind the tag of the answer. */
const ping = Buffer.from([6, 0, 0xff, 6, 0, 0, 0x11, 0xbe, 0x80]);
const pong = Buffer.from([0, 0x10, 0, 0, 0x11, 0xbe, 0, 0, 0, 0, 0x81, 0, 0, 0, 0, 0, 0, 0]);

/**
 * Serves the power of one machine by IPMI 2.0 over the network (RMCP+), to who has the password; sessions are encrypted, and older ones
 * refused. What is damaged, replayed, or in nobody's session gets no answer.
 *
 * @param account its password is needed as long as the server is there.
 * @param nowMs a clock that goes on evenly.
 * @throws {Error} of the system for an address that can't be listened at.
 */
export async function serveIpmi(
  { address, port }: SocketAddress,
  account: Account,
  chassis: Chassis,
  nowMs: () => number = () => performance.now(),
): Promise<IpmiServer> {
  const clients = new Clients(account, new ManagementController(chassis, account.guid), nowMs);
  const socket = createSocket('udp4');
  socket.on('message', (bytes, from) => {
    const answer = clients.answer(bytes);
    if (answer !== undefined) socket.send(answer, from.port, from.address, () => {}); // a client that is gone asks no more
  });
  socket.bind({ address, port, exclusive: true });
  await once(socket, 'listening');
  socket.on('error', () => {}); // of one answer
  return {
    port: socket.address().port,
    [Symbol.asyncDispose]: async () => {
      clients.end();
      await new Promise<void>((closed) => void socket.close(closed));
    },
  };
}

/** The sessions of one controller. */
export class Clients {
  readonly #account: Account;
  readonly #controller: ManagementController;
  readonly #nowMs: () => number;
  readonly #sessions = new Map<number, Session>();

  constructor(account: Account, controller: ManagementController, nowMs: () => number) {
    this.#account = account;
    this.#controller = controller;
    this.#nowMs = nowMs;
  }

  /** The answer to a datagram; undefined for one that gets none. */
  answer(bytes: Buffer): Buffer | undefined {
    if (bytes.length > largestBytes) return undefined;
    if (bytes.length >= 12 && bytes.subarray(0, 9).equals(ping))
      return Buffer.concat([ping.subarray(0, 8), Buffer.from([0x40, bytes.readUInt8(9)]), pong]);
    this.#forgetIdle();
    const packet = parsePacket(bytes, (id) => this.#sessions.get(id)?.keys);
    if (packet === undefined) return undefined;
    if (packet.session !== 0) return this.#inSession(packet);
    if (packet.type === payloads.message) {
      const request = parseRequest(packet.payload);
      if (request === undefined) return undefined;
      const payload = answerTo(request, this.#controller.answer(request, 'stranger'));
      return packetBytes({ ...packet, payload });
    }
    if (packet.payload.length < 8) return undefined;
    if (packet.type === payloads.open) return this.#open(packet);
    if (packet.type === payloads.rakp1) return this.#challenge(packet);
    return packet.type === payloads.rakp3 ? this.#prove(packet) : undefined;
  }

  /** Forgets all sessions. */
  end(): void {
    for (const id of this.#sessions.keys()) this.#forget(id);
  }

  #inSession({ session: id, sequence, type, payload }: Packet): Buffer | undefined {
    const session = this.#sessions.get(id);
    const request = type === payloads.message ? parseRequest(payload) : undefined;
    const { keys } = session ?? {};
    if (session === undefined || keys === undefined || !session.accepts(sequence)) return undefined;
    if (request === undefined) return undefined;
    session.usedMs = this.#nowMs();
    const key = keyOf(request);
    const before = session.last?.key === key ? session.last.answer : undefined;
    const answer = before ?? answerTo(request, this.#controller.answer(request, 'administrator'));
    session.last = { key, answer };
    const head = { format: 'rmcp+', type, session: session.clientId, sequence: session.next() } as const;
    const bytes = packetBytes({ ...head, payload: answer }, keys);
    if (this.#controller.ends(request)) this.#forget(id);
    return bytes;
  }

  #open(packet: Packet): Buffer | undefined {
    const { payload } = packet;
    if (payload.length < 32) return undefined;
    const suite = proposedSuite(payload);
    const clientId = payload.readUInt32LE(4);
    if (suite === undefined)
      return reply(
        packet,
        payloads.opened,
        [payload.readUInt8(0), refusals.noSuite, 0, 0],
        idBytes(clientId),
      );
    if (!this.#makesRoom()) {
      const head = [payload.readUInt8(0), refusals.crowded, 0, 0];
      return reply(packet, payloads.opened, head, idBytes(clientId));
    }
    const session = new Session(this.#freeId(), clientId, suite, this.#nowMs());
    this.#sessions.set(session.id, session);
    const agreed = Buffer.concat([idBytes(clientId), idBytes(session.id), payload.subarray(8, 32)]);
    return reply(packet, payloads.opened, [payload.readUInt8(0), 0, 4, 0], agreed);
  }

  #challenge(packet: Packet): Buffer | undefined {
    const session = this.#sessions.get(packet.payload.readUInt32LE(4));
    const isBeginning = session !== undefined && !session.isActive;
    const answer = isBeginning ? session.challenge(packet.payload, this.#account) : refusals.session;
    if (session !== undefined && typeof answer === 'number' && isBeginning) this.#forget(session.id);
    return this.#handshake(packet, payloads.rakp2, session, answer);
  }

  #prove(packet: Packet): Buffer | undefined {
    const session = this.#sessions.get(packet.payload.readUInt32LE(4));
    const isBeginning = session !== undefined && !session.isActive;
    // A client that takes our proof for a wrong one says so, and hears no more.
    if (isBeginning && packet.payload.readUInt8(1) !== 0) {
      this.#forget(session.id);
      return undefined;
    }
    const answer = isBeginning ? session.prove(packet.payload, this.#account) : refusals.session;
    if (session !== undefined && typeof answer === 'number' && isBeginning) this.#forget(session.id);
    return this.#handshake(packet, payloads.rakp4, session, answer);
  }

  #handshake(packet: Packet, type: number, session: Session | undefined, answer: Buffer | number): Buffer {
    const tag = packet.payload.readUInt8(0);
    if (typeof answer !== 'number') return reply(packet, type, [tag, 0, 0, 0], answer);
    return reply(packet, type, [tag, answer, 0, 0], idBytes(session?.clientId ?? 0));
  }

  #freeId(): number {
    for (;;) {
      const id = randomBytes(4).readUInt32LE();
      if (id !== 0 && !this.#sessions.has(id)) return id;
    }
  }

  /** Of too many the oldest goes that has not proven anything: strangers end nobody's session. */
  #makesRoom(): boolean {
    if (this.#sessions.size < mostSessions) return true;
    const oldest = [...this.#sessions.values()].find(({ isActive }) => !isActive);
    if (oldest !== undefined) this.#forget(oldest.id);
    return oldest !== undefined;
  }

  #forgetIdle(): void {
    const before = this.#nowMs() - idleMs;
    for (const [id, { usedMs }] of this.#sessions) if (usedMs < before) this.#forget(id);
  }

  #forget(id: number): void {
    this.#sessions.get(id)?.end();
    this.#sessions.delete(id);
  }
}

function reply({ format, session }: Packet, type: number, head: readonly number[], more: Buffer): Buffer {
  return packetBytes({
    format,
    type,
    session,
    sequence: 0,
    payload: Buffer.concat([Buffer.from(head), more]),
  });
}

function keyOf({ netFn, command, sequence, from, data }: IpmiMessage): string {
  return [netFn, command, sequence, from, data.toString('hex')].join(' ');
}
