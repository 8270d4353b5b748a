/** One of the two that are compared. */
export type Side<Answer> = {
  /** What is measured, for the report: `luks.header.read`, `cryptsetup luksDump`. */
  readonly name: string;
  /** Does the work once and returns what it found out, in a form that can be compared with the other side's. */
  readonly run: () => Promise<Answer>;
  /** Measures once, in the question's unit; the wall time of `run` in milliseconds by default. */
  readonly sample?: () => Promise<number>;
};

/** A question with a number for an answer: how much of the peer's cost is ours. */
export type Question<Answer = unknown> = {
  /** Name of the result file and of the row. */
  readonly name: string;
  readonly question: string;
  readonly ours: Side<Answer>;
  readonly peer: Side<Answer>;
  /** Unit of a sample; `ms` by default. */
  readonly unit?: string;
  /** The largest ratio of the medians, ours ÷ peer, that passes. */
  readonly gate: number;
  /** Samples of each side, 7 at least; 11 by default. 1: one alone, of what takes minutes or is the same each time. */
  readonly rounds?: number;
  /** Samples of each side before those, which are not counted; 3 by default. */
  readonly warmUp?: number;
};

/** A bench file exports this under the name `bench`: it sets the scene and says what is asked. */
export type Bench = {
  /** It switches machines on, for minutes: a smoke run of everything leaves it out, and one that names it does not. */
  readonly needsMachines?: boolean;
  /** Makes what the questions need. Everything made is put on the stack, which is taken down after the last question. */
  readonly prepare: (stack: AsyncDisposableStack) => Promise<readonly Question[]>;
};

/** Lets a bench keep the type of its answers while the harness handles questions of all kinds. */
export function ask<Answer>(question: Question<Answer>): Question {
  return question;
}
