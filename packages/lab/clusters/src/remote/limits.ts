import type { HandshakeLimits, ServedLimits } from '@nodecore/listener';

/** Connections of a server for clusters. Those without the token take none from those with it. */
export type RemoteLimits = {
  readonly handshakes: HandshakeLimits;
  /** Whose handshake is over, and whose token has not come. */
  readonly strangers: ServedLimits & {
    /** One whose token is not there after twice as long ends. */
    readonly tokenMs: number;
  };
  /** Whose token has come. */
  readonly callers: number;
};

/** 256 in all. A caller sends its token a round trip after its handshake; so many others don't come meanwhile. */
export const usualLimits: RemoteLimits = {
  handshakes: { max: 64, maxPerAddress: 48, maxPerTurn: 4, deadlineMs: 5_000 },
  strangers: { max: 96, maxPerAddress: 64, tokenMs: 5_000 },
  callers: 96,
};
