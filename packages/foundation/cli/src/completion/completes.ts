import type { Argument, Option } from 'commander';

import type { Terminal } from '../terminal.ts';
import type { Line } from './typed-line.ts';

/** A word that could stand there, and what it means. */
export type Candidate = { readonly value: string; readonly description?: string };

/** Finds what could stand as an argument, or as the value of a flag, of a line that is being typed. */
export type FindCandidates = (
  line: Line,
  terminal: Terminal,
) => readonly Candidate[] | Promise<readonly Candidate[]>;

const finders = new WeakMap<Argument | Option, FindCandidates>();

/** Says what an argument or the value of a flag is completed with; choices and files are known without it. */
export function completes<Taker extends Argument | Option>(taker: Taker, find: FindCandidates): Taker {
  finders.set(taker, find);
  return taker;
}

/** Whether somebody said what it is completed with. */
export function isCompleted(taker: Argument | Option | undefined): boolean {
  return taker !== undefined && finders.has(taker);
}

/** Candidates for what is named; none where nothing was said. */
export async function candidatesFor(
  taker: Argument | Option,
  line: Line,
  terminal: Terminal,
): Promise<readonly Candidate[]> {
  return (await finders.get(taker)?.(line, terminal)) ?? [];
}

/** Candidates without a meaning of their own. */
export function plain(values: readonly string[]): readonly Candidate[] {
  return values.map((value) => ({ value }));
}
