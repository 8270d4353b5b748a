import { beginsIn } from './notes.ts';
import { print, readTap, type RunOptions, type Totals } from './run-files.ts';

/**
 * Runs test files one after the other with a command, and goes on with a new one behind a file that hangs, or that takes the
 * command with it. Such a file is named and counts as one failure; so does each that no command begins.
 *
 * @param argvOf the command that runs these files, in any order, and prints TAP.
 * @param notesPath where its processes note that a file begins.
 */
export async function runInOrder(
  files: readonly string[],
  argvOf: (files: readonly string[]) => readonly [string, ...string[]],
  notesPath: string,
  options: RunOptions,
): Promise<Totals> {
  const { onResult = print, maxSilenceMs = 0 } = options;
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  const fail = (title: string): void => {
    totals.failed += 1;
    onResult({ outcome: 'failed', title, detail: [] });
  };
  let left = files;
  while (left.length > 0) {
    const before = beginsIn(notesPath).length;
    const { code, wasSilent, last, ...counts } = await readTap(argvOf(left), options);
    totals.passed += counts.passed;
    totals.failed += counts.failed;
    totals.skipped += counts.skipped;
    const running = left;
    const begun = beginsIn(notesPath)
      .slice(before)
      .map((note) => note.begun)
      .filter((file) => running.includes(file));
    left = running.filter((file) => !begun.includes(file));
    const ran = counts.passed + counts.failed + counts.skipped;
    const how = wasSilent
      ? `nothing for ${maxSilenceMs / 1000} s after ${last ?? 'its start'}`
      : `ended with ${code ?? 'a signal'} after ${ran} tests`;
    const name = begun.at(-1);
    if (name === undefined) {
      for (const file of left) fail(`${file}: did not run; ${argvOf([]).join(' ')}: ${how}`);
      break;
    }
    const isBroken = code !== 0 && (counts.failed === 0 || left.length > 0);
    if (wasSilent || isBroken || ran === 0) fail(`${name}: ${how}`);
  }
  return totals;
}
