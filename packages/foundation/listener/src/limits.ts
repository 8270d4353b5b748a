/** How many handshakes go on at once, and for how long. */
export type HandshakeLimits = {
  readonly max: number;
  /** Of one address; of IPv6, of one network of 64 bits. */
  readonly maxPerAddress: number;
  /** How many begin in one turn of the loop: each is a millisecond of work, and what came meanwhile waits for it. */
  readonly maxPerTurn: number;
  readonly deadlineMs: number;
};
