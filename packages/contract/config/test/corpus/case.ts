import { type Problem } from '@nodecore/config';

/** One change of a text: so many characters are taken out at a place, and others put there. */
export type Edit = readonly [at: number, removed: number, put: string];

/** A mutated source, with what is found in it: `code path line:column`, warnings with a `~` in front. */
export type CorpusCase = readonly [source: number, edits: readonly Edit[], findings: readonly string[]];

/** The text of a case. */
export function textOf(source: string, edits: readonly Edit[]): string {
  return edits.reduce(
    (text, [at, removed, put]) => text.slice(0, at) + put + text.slice(at + removed),
    source,
  );
}

/** Findings in an order that does not depend on the reader. */
export function shown(problems: readonly Problem[], warnings: readonly Problem[]): string[] {
  return [...problems.map(one), ...warnings.map((warning) => `~${one(warning)}`)].toSorted();
}

function one({ code, path, line, column }: Problem): string {
  return `${code} ${path} ${line}:${column}`;
}
