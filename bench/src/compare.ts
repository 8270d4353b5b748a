import { deepStrictEqual } from 'node:assert';

import type { Question, Side } from './question.ts';
import { median, quantile } from './statistics.ts';

/** What one question came to. */
export type Comparison = {
  readonly question: string;
  /** Median of our samples. */
  readonly ours: number;
  /** Median of the peer's samples. */
  readonly peer: number;
  readonly unit: string;
  /** Samples of each side. */
  readonly n: number;
  /** ours ÷ peer: below 1 is better. */
  readonly ratio: number;
  readonly gate: number;
  readonly pass: boolean;
  readonly p99: { readonly ours: number; readonly peer: number };
  readonly names: { readonly ours: string; readonly peer: string };
};

const fewest = 7;
/** Rounds that are not counted: code not yet compiled and files not yet cached say nothing about either side. */
const warmUp = 3;

/**
 * Checks that both sides give the same answer, then measures them in turn, each round in the other order, so that what
 * the machine does meanwhile meets both.
 */
export async function compare(question: Question, options: { readonly smoke: boolean }): Promise<Comparison> {
  const { ours, peer, gate, unit = 'ms' } = question;
  deepStrictEqual(await ours.run(), await peer.run(), `${question.name}: the sides disagree`);
  for (let round = 0; round < (options.smoke ? 0 : warmUp); round += 1) {
    for (const side of [ours, peer]) await sample(side);
  }
  const n = options.smoke ? 1 : Math.max(fewest, question.rounds ?? 11);
  const samples: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
  for (let round = 0; round < n; round += 1) {
    const order = round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const);
    for (const side of order) samples[side].push(await sample(question[side]));
  }
  const ratio = median(samples.ours) / median(samples.peer);
  return {
    question: question.question,
    ours: median(samples.ours),
    peer: median(samples.peer),
    unit,
    n,
    ratio,
    gate,
    pass: ratio <= gate,
    p99: { ours: quantile(samples.ours, 0.99), peer: quantile(samples.peer, 0.99) },
    names: { ours: ours.name, peer: peer.name },
  };
}

async function sample(side: Side<unknown>): Promise<number> {
  if (side.sample !== undefined) return await side.sample();
  const started = performance.now();
  await side.run();
  return performance.now() - started;
}
