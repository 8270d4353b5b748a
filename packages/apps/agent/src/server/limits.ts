import type { HandshakeLimits } from '@nodecore/listener';

/** Connections that have shown who they are, or that need not. */
export type ConnectionLimits = {
  readonly max: number;
  /** What of `max` only administrators get. */
  readonly reserved: number;
  /** Of one certificate; in maintenance, of one address. */
  readonly maxPerIdentity: number;
  /** Without a call since it began. */
  readonly firstCallMs: number;
  /** Without a call since the last one ended. */
  readonly idleMs: number;
  /** A new connection takes the place of one without reserved calls, even of one that has calls. */
  readonly newestWins: boolean;
  /** Streams that it may reset at once, and each second after that. */
  readonly resets: { readonly burst: number; readonly perSecond: number };
  /** How long a certificate is refused whose connection reset too many. */
  readonly penaltyMs: number;
};

/** Calls that are served at once. */
export type CallLimits = {
  /** Beside those that are reserved. */
  readonly max: number;
  readonly reserved: number;
  readonly maxPerIdentity: number;
  /** Calls with a stream of answers, of one connection. */
  readonly maxStreamsPerConnection: number;
  /** A request that is not there after twice as long will not come. */
  readonly requestMs: number;
  /** A caller that has read nothing for so long, while answers were pending, is taken to have stopped reading. */
  readonly stallMs: number;
  /** The longest stream of answers. */
  readonly maxStreamMs: number;
};

export type Limits = {
  readonly handshakes: HandshakeLimits;
  readonly connections: ConnectionLimits;
  readonly calls: CallLimits;
};

const handshakes: HandshakeLimits = { max: 512, maxPerAddress: 256, maxPerTurn: 4, deadlineMs: 5_000 };
const resets = { burst: 200, perSecond: 20 };

/** Callers are known by their certificates; one of them must not take what the others need. */
export const certifiedLimits: Limits = {
  handshakes,
  connections: {
    max: 512,
    reserved: 64,
    maxPerIdentity: 64,
    firstCallMs: 30_000,
    idleMs: 300_000,
    newestWins: false,
    resets,
    penaltyMs: 10_000,
  },
  calls: {
    max: 1_280,
    reserved: 32,
    maxPerIdentity: 128,
    maxStreamsPerConnection: 128,
    requestMs: 10_000,
    stallMs: 120_000,
    maxStreamMs: Infinity,
  },
};

/** Callers are anonymous: what counts is that the one with the configuration gets through. */
export const maintenanceLimits: Limits = {
  handshakes,
  connections: {
    max: 64,
    reserved: 0,
    maxPerIdentity: 32,
    firstCallMs: 10_000,
    idleMs: 30_000,
    newestWins: true,
    resets: { burst: 50, perSecond: 5 },
    penaltyMs: 0, // the operator may come from the same address
  },
  calls: {
    max: 32,
    reserved: 4,
    maxPerIdentity: 24,
    maxStreamsPerConnection: 4,
    requestMs: 10_000,
    stallMs: 60_000,
    maxStreamMs: 600_000,
  },
};
