import { join } from 'node:path';
import { execPath } from 'node:process';

import { type FileNote, notesOf } from '../notes.ts';
import { type Totals, print, type RunOptions, runTap } from '../run-files.ts';
import { avaProgram, type TapResult } from '../tap.ts';
import { prefixOf } from './prefix.ts';

const entry = 'packages/foundation/testkit/src/groups/shared-process.ts';

/** What became of files that shared a process. */
export type SharedOutcome = {
  readonly totals: Totals;
  /** Of the files that ran to their end, alone with what is theirs. */
  readonly notes: readonly FileNote[];
  /** Files of which nothing counted, with the reason: they are to run in processes of their own. */
  readonly left: readonly { readonly file: string; readonly reason: string }[];
};

/**
 * Runs test files in one process, one after the other. The results of a file count when it came to its end and did nothing that
 * others could have felt; a process that ends early hides nothing, as its files are left.
 *
 * @param directory for the notes of the process; the caller removes it.
 */
export async function runShared(
  files: readonly string[],
  directory: string,
  { cwd, env, onResult, maxSilenceMs }: RunOptions,
): Promise<SharedOutcome> {
  const path = join(directory, `shared-${process.pid}-${performance.now()}`);
  const argv = [execPath, avaProgram, '--tap', entry] as const;
  const results: TapResult[] = [];
  await runTap(argv, {
    cwd,
    env: { ...env, NODECORE_TEST_NOTES: path, NODECORE_SHARED_FILES: JSON.stringify(files) },
    onResult: (result) => results.push(result),
    isQuiet: true,
    ...(maxSilenceMs !== undefined && { maxSilenceMs }),
  });
  return outcomeOf(files, notesOf(path), results, onResult);
}

/** Sorts the results of a shared process by what its notes say of the files. */
export function outcomeOf(
  files: readonly string[],
  notes: readonly FileNote[],
  results: readonly TapResult[],
  report: (result: TapResult) => void = print,
): SharedOutcome {
  const noted = new Map(notes.map((note) => [note.file, note]));
  const whole = new Set(files.filter((file) => noted.has(file) && noted.get(file)?.needs === undefined));
  const left = files
    .filter((file) => !whole.has(file))
    .map((file) => ({ file, reason: noted.get(file)?.needs ?? 'the process that it shared ended before' }));
  const prefixes = files.map((file) => ({ file, prefix: prefixOf(file) }));
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) {
    const owner = prefixes.find(({ prefix }) => result.title.startsWith(prefix));
    // What belongs to no file is a crash: of one that is left, and crashes again, or of none that could be named.
    if (owner === undefined ? left.length > 0 : !whole.has(owner.file)) continue;
    totals[result.outcome] += 1;
    report(result);
  }
  return { totals, notes: notes.filter(({ file }) => whole.has(file)), left };
}
