import type { FileNote } from './notes.ts';
import { type Rung, rungOf } from './rungs.ts';

/** Seconds that a test file may take, on two processors with nothing else to do. */
const budgets: Readonly<Record<Rung, number>> = { unit: 10, root: 20, vm: 90, fault: 90 };

/** Files that need more, and what for. */
export const exceptions: Readonly<Record<string, { readonly seconds: number; readonly reason: string }>> = {};

export function budgetOf(file: string): number {
  return exceptions[file]?.seconds ?? budgets[rungOf(file)];
}

/** The `count` files that took longest, as lines of a table; none when nothing ran. */
export function slowest(notes: readonly FileNote[], count: number): string[] {
  const longest = notes.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);
  if (longest.length === 0) return [];
  const width = Math.max(...longest.map(({ file }) => file.length));
  const rows = longest.map(({ file, seconds }) => {
    const numbers = [seconds.toFixed(1), String(budgetOf(file))].map((number) => number.padStart(8));
    return `  ${file.padEnd(width)}${numbers.join('')}`;
  });
  return [`  ${'slowest files'.padEnd(width)} seconds  budget`, ...rows];
}

/** A line for each file over its budget. */
export function overBudget(notes: readonly FileNote[]): string[] {
  return notes
    .filter(({ file, seconds }) => seconds > budgetOf(file))
    .map(({ file, seconds }) => `over budget: ${file} took ${seconds.toFixed(1)} s of ${budgetOf(file)} s`);
}
