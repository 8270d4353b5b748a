import { type Comparison, compare } from './compare.ts';
import { unlessEnded } from './interruption.ts';
import type { Bench } from './question.ts';

/** A bench file: a name, and what is in it. */
export type BenchFile = { readonly name: string; readonly load: () => Promise<Bench> };

export type Row = Comparison & { readonly name: string };

export type AskOptions = {
  /** Names of files or questions; none: all of them. */
  readonly wanted: readonly string[];
  readonly smoke: boolean;
  /** Ends it early: what was measured by then is still told. */
  readonly signal: AbortSignal;
  readonly begun: (name: string, question: string) => void;
  /** A row that is complete. */
  readonly answered: (row: Row) => Promise<void>;
};

/** Asks the questions of files, one after the other. What a file makes is taken down, however it ends. */
export async function askAll(files: readonly BenchFile[], options: AskOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const file of files) {
    if (options.signal.aborted) break;
    await askFile(file, rows, options);
  }
  return rows;
}

/** A question is called after its file: `luks-unlock`, `luks-unlock-loop-delay`. */
export function isOf(file: string, word: string): boolean {
  return word === file || word.startsWith(`${file}-`);
}

async function askFile({ name, load }: BenchFile, rows: Row[], options: AskOptions): Promise<void> {
  const { wanted, smoke, signal, begun, answered } = options;
  const asked = wanted.filter((word) => isOf(name, word));
  if (wanted.length > 0 && asked.length === 0) return;
  const bench = await load();
  if (smoke && wanted.length === 0 && bench.needsMachines === true) return;
  await using stack = new AsyncDisposableStack();
  try {
    for (const question of await unlessEnded(signal, () => bench.prepare(stack))) {
      if (wanted.length > 0 && !asked.includes(name) && !asked.includes(question.name)) continue;
      signal.throwIfAborted();
      begun(question.name, question.question);
      const comparison = await compare(question, { smoke, signal });
      if (comparison === undefined) continue;
      const row = { ...comparison, name: question.name };
      rows.push(row);
      if (comparison.complete) await answered(row);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
