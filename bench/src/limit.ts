import { ask, type Question } from './question.ts';

/** Limits have no answer to compare. */
const nothing = async (): Promise<object> => ({});

/** A question whose answer is a limit: ours ÷ the budget passes up to 1. */
export function limit(given: {
  readonly name: string;
  readonly question: string;
  /** What is measured, for the report. */
  readonly ours: string;
  /** The most that is allowed, in the unit of a sample. */
  readonly budget: number;
  /** `ms` by default. */
  readonly unit?: string;
  readonly rounds?: number;
  readonly sample: () => Promise<number>;
}): Question {
  const { name, question, ours, budget, unit = 'ms', rounds, sample } = given;
  const allowed = unit === '' ? String(budget) : `${budget} ${unit}`;
  return ask({
    name,
    question: `${question} Against a budget of ${allowed}.`,
    gate: 1,
    unit,
    ...(rounds !== undefined && { rounds }),
    ours: { name: ours, run: nothing, sample },
    peer: { name: 'budget', run: nothing, sample: async () => budget },
  });
}
