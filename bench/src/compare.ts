import { deepStrictEqual } from 'node:assert';

import { unlessEnded } from './interruption.ts';
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
  /** Samples of each side; fewer than were asked for when the run was ended early. */
  readonly n: number;
  readonly complete: boolean;
  /** ours ÷ peer: below 1 is better. */
  readonly ratio: number;
  readonly gate: number;
  readonly pass: boolean;
  readonly p99: { readonly ours: number; readonly peer: number };
  readonly names: { readonly ours: string; readonly peer: string };
};

type Samples = { readonly ours: number[]; readonly peer: number[] };

/** A median of fewer says little; one alone is for what takes minutes, or is the same each time. */
const fewest = 7;
/** Rounds that are not counted: code not yet compiled and files not yet cached say nothing about either side. */
const usualWarmUp = 3;

export type CompareOptions = {
  readonly smoke: boolean;
  /** Ends it early. */
  readonly signal: AbortSignal;
};

/**
 * Checks that both sides give the same answer, then measures them in turn, each round in the other order, so that what
 * the machine does meanwhile meets both. Ended early, it is what the whole rounds say; undefined when there is none.
 */
export async function compare(
  question: Question,
  { smoke, signal }: CompareOptions,
): Promise<Comparison | undefined> {
  const n = smoke || question.rounds === 1 ? 1 : Math.max(fewest, question.rounds ?? 11);
  const samples: Samples = { ours: [], peer: [] };
  try {
    await measure(question, samples, { n, signal, warmUp: smoke ? 0 : (question.warmUp ?? usualWarmUp) });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const whole = Math.min(samples.ours.length, samples.peer.length);
  return whole === 0 ? undefined : comparison(question, samples, { whole, complete: whole === n });
}

async function measure(
  question: Question,
  samples: Samples,
  { n, signal, warmUp }: { readonly n: number; readonly signal: AbortSignal; readonly warmUp: number },
): Promise<void> {
  const step = <Result>(work: () => Promise<Result>): Promise<Result> => unlessEnded(signal, work);
  const { ours, peer } = question;
  const answers = [await step(ours.run), await step(peer.run)];
  deepStrictEqual(answers[0], answers[1], `${question.name}: the sides disagree`);
  for (let round = 0; round < warmUp; round += 1) {
    for (const side of [ours, peer]) await step(() => sample(side));
  }
  for (let round = 0; round < n; round += 1) {
    const order = round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const);
    for (const side of order) samples[side].push(await step(() => sample(question[side])));
  }
}

function comparison(
  question: Question,
  samples: Samples,
  { whole, complete }: { readonly whole: number; readonly complete: boolean },
): Comparison {
  const { ours, peer, gate, unit = 'ms' } = question;
  const ratio = median(samples.ours) / median(samples.peer);
  return {
    question: question.question,
    ours: median(samples.ours),
    peer: median(samples.peer),
    unit,
    n: whole,
    complete,
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
