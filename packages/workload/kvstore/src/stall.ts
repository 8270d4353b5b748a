/** What one defragmentation cost. Keep those of a node, and later ones are estimated from them. */
export type Stall = {
  readonly memberId: bigint;
  /** What was copied. */
  readonly inUseBytes: bigint;
  /** How long the member answered nothing, in milliseconds. */
  readonly tookMs: number;
};

/** Measured on a machine of average disks; the first defragmentation of a member has nothing better. */
const defaultMsPerByte = 3.3e-6;
/** Files this small take what they take. */
const minMs = 50;
/** Older ones may be from another machine. */
const remembered = 5;
/** A rate measured on less is mostly what the call itself costs. */
const tellingBytes = 1n << 20n;

/** How long a member will answer nothing, by the slowest of its own last defragmentations; in milliseconds. */
export function estimateStallMs(memberId: bigint, inUseBytes: bigint, history: readonly Stall[]): number {
  const rates = history
    .filter((stall) => stall.memberId === memberId && stall.inUseBytes >= tellingBytes)
    .slice(-remembered)
    .map(({ inUseBytes, tookMs }) => tookMs / Number(inUseBytes));
  const msPerByte = rates.length === 0 ? defaultMsPerByte : Math.max(...rates);
  return Math.max(minMs, Math.round(Number(inUseBytes) * msPerByte));
}
