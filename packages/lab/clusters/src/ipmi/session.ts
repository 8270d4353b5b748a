import { randomBytes, timingSafeEqual } from 'node:crypto';

import type { Secret } from '@nodecore/sys';

import type { SessionKeys } from './packet.ts';
import { type CipherSuite, code, confidentiality, mac, sessionKey, suites } from './suite.ts';

/** Who is let in. Every session is an administrator's. */
export type Account = { readonly user: string; readonly password: Secret; readonly guid: Buffer };

/** Why a session does not begin (IPMI 2.0, table 13-15). */
export const refusals = {
  noSuite: 0x11,
  role: 0x09,
  name: 0x0d,
  integrity: 0x0f,
  session: 0x02,
  crowded: 0x01,
} as const;

/** What the client will prove, and is proven to it. */
type Proof = { readonly theirs: Buffer; readonly secret: Buffer; readonly client: Buffer };

const administrator = 4;
/** By how much a packet may be late. */
const windowBits = 16;

/** One session of a client, from its first word: both prove the password, and neither says it (RAKP, IPMI 2.0, 13.20). */
export class Session {
  readonly id: number;
  readonly clientId: number;
  readonly suite: CipherSuite;
  /** When it said something last, in milliseconds. */
  usedMs: number;
  keys: SessionKeys | undefined;
  /** The last command and its answer: a client that hears nothing asks again, and nothing is done twice. */
  last: { readonly key: string; readonly answer: Buffer } | undefined;
  #proof: Proof | undefined;
  #sent = 0;
  #highest = 0;
  #seen = 0;

  constructor(id: number, clientId: number, suite: CipherSuite, nowMs: number) {
    this.id = id;
    this.clientId = clientId;
    this.suite = suite;
    this.usedMs = nowMs;
  }

  /** Whether the client has proven the password. */
  get isActive(): boolean {
    return this.keys !== undefined;
  }

  /** Takes the client's number and name. @returns the answer behind its head, or why there is none */
  challenge(data: Buffer, { user, password, guid }: Account): Buffer | number {
    const theirs = data.subarray(8, 24);
    const role = data.subarray(24, 25);
    const name = data.subarray(28, 28 + (data[27] ?? 0));
    if (data.length < 28 || name.length !== data[27]) return refusals.name;
    if ((role.readUInt8() & 0x0f) > administrator) return refusals.role;
    if (name.toString('latin1') !== user) return refusals.name;
    const mine = randomBytes(16);
    const who = Buffer.concat([role, data.subarray(27, 28), name]);
    const [client, own] = [idBytes(this.clientId), idBytes(this.id)];
    const proof = mac(this.suite, password.bytes, client, own, theirs, mine, guid, who);
    this.#proof = {
      theirs: Buffer.from(theirs),
      secret: mac(this.suite, password.bytes, theirs, mine, who),
      client: mac(this.suite, password.bytes, mine, client, who),
    };
    return Buffer.concat([client, mine, guid, proof]);
  }

  /** The client's proof. @returns ours behind its head, or why the session ends */
  prove(data: Buffer, { guid }: Account): Buffer | number {
    const given = data.subarray(8);
    if (this.#proof === undefined) return refusals.integrity;
    const { client, secret, theirs } = this.#proof;
    if (given.length !== client.length || !timingSafeEqual(given, client)) return refusals.integrity;
    this.keys = {
      suite: this.suite,
      codes: sessionKey(this.suite, secret, 1),
      secrecy: sessionKey(this.suite, secret, 2),
    };
    const proof = code(this.suite, secret, theirs, idBytes(this.id), guid);
    this.#forgetProof();
    return Buffer.concat([idBytes(this.clientId), proof]);
  }

  /** Whether a packet with this number is new; one that was seen, or is too late, is somebody's who has recorded it. */
  accepts(sequence: number): boolean {
    if (sequence === 0) return false;
    const ahead = sequence - this.#highest;
    if (ahead > 0) {
      this.#seen = ahead > windowBits ? 1 : ((this.#seen << ahead) | 1) & 0x1ffff;
      this.#highest = sequence;
      return true;
    }
    const bit = 1 << -ahead;
    if (-ahead > windowBits || (this.#seen & bit) !== 0) return false;
    this.#seen |= bit;
    return true;
  }

  /** The number of the next packet to the client. */
  next(): number {
    this.#sent += 1;
    return this.#sent;
  }

  /** Forgets its keys. */
  end(): void {
    this.keys?.codes.fill(0);
    this.keys?.secrecy.fill(0);
    this.#forgetProof();
  }

  #forgetProof(): void {
    this.#proof?.secret.fill(0);
    this.#proof = undefined;
  }
}

/** The suite that a client proposes, if it is one of ours. @param data of its first word */
export function proposedSuite(data: Buffer): CipherSuite | undefined {
  const [authentication, integrity, secrecy] = [12, 20, 28].map((at) => data[at]);
  if (secrecy !== confidentiality) return undefined;
  return suites.find((each) => each.authentication === authentication && each.integrity === integrity);
}

/** A session's number as packets have it. */
export function idBytes(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(id);
  return bytes;
}
