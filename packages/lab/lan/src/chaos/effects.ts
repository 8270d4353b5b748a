/** What happens to frames in one direction; what is left out does not. */
export type Effects = {
  /** Each frame arrives so much later. */
  readonly latencyMs?: number;
  /** Up to so much more or less than the latency, evenly; the order stays. */
  readonly jitterMs?: number;
  /** Share of frames that are lost: 0 to less than 1. */
  readonly loss?: number;
  /** Share of frames with one bit turned over behind their addresses: 0 to less than 1. */
  readonly corrupt?: number;
  /** Share of frames that overtake those that wait for their latency: 0 to less than 1. */
  readonly reorder?: number;
  /** Bits per second, in thousands; 0: as many as come. */
  readonly bandwidthKbit?: number;
};

/** Towards a machine, and from it. */
export const directions = ['to', 'from'] as const;

/** A direction as its machine sees it. */
export type Direction = (typeof directions)[number];

/** What happens to the frames of one machine. */
export type Chaos = { readonly [each in Direction]?: Effects };

const longestMs = 60_000;
/** `tc` counts bytes per second in 32 bits. */
const mostKbit = 32_000_000;

/** What makes effects impossible, in words; empty when nothing does. */
export function effectProblems({ latencyMs = 0, jitterMs = 0, ...more }: Effects): readonly string[] {
  const { bandwidthKbit: rate = 0, reorder = 0 } = more;
  const found: string[] = [];
  if (!(latencyMs >= 0 && latencyMs <= longestMs)) found.push(`latency ${latencyMs} ms: 0 to ${longestMs}`);
  if (!(jitterMs >= 0 && jitterMs <= latencyMs))
    found.push(`jitter ${jitterMs} ms: at most the latency, which is ${latencyMs} ms`);
  for (const name of ['loss', 'corrupt', 'reorder'] as const) {
    const share = more[name] ?? 0;
    if (!(share >= 0 && share < 1)) found.push(`${name} ${share}: 0 to less than 1`);
  }
  if (reorder > 0 && !(latencyMs > 0)) found.push(`reorder ${reorder}: without a latency no frame waits`);
  if (!(Number.isInteger(rate) && rate >= 0 && rate <= mostKbit))
    found.push(`bandwidth ${rate} kbit/s: a whole number, at most ${mostKbit}`);
  return found;
}

/** Whether anything happens at all. */
export function hasEffects(effects: Effects = {}): boolean {
  return !isOfKernel(effects) || (effects.loss ?? 0) > 0;
}

/** Whether the kernel alone can do it. */
export function isOfKernel({ latencyMs, jitterMs, corrupt, bandwidthKbit }: Effects = {}): boolean {
  return !latencyMs && !jitterMs && !corrupt && !bandwidthKbit;
}
