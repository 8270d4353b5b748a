/**
 * The test command: `npm test [RUNG…] [WORD…] [--shard I/N] [--since REF] [--strict-budget] [--keep-times]`.
 *
 * Without arguments it runs every rung. It ends with `N passed, N failed`, and fails when a test failed, when
 * something could not run on this machine, or when the run left anything behind. What others left meanwhile is named.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { overBudget, slowest } from './budgets.ts';
import { compileAgent } from './compile-cache.ts';
import { chooseFiles, type Job, plan, secondsIn } from './jobs.ts';
import { inLanes } from './lanes.ts';
import { print } from './run-files.ts';
import { rungOf, testFiles } from './rungs.ts';
import { select, type Selection } from './selection.ts';
import { filesOfShard } from './shards.ts';
import { changedSince, touchedBy, workspacePackages } from './since.ts';
import { TestRun } from './test-run.ts';
import { TestTimes } from './test-times.ts';

const checkout = fileURLToPath(new URL('../../../..', import.meta.url));
const selection = selected();
const all = testFiles(checkout);
const times = TestTimes.read(checkout);
const files = ofShard(ofChange(chooseFiles(all, selection.rungs, selection.words)));
const run = new TestRun(checkout);
const { totals } = run;
await runAll();
run.end();

if (totals.passed + totals.failed === 0 && selection.since === undefined) {
  console.log(`no test matches: ${process.argv.slice(2).join(' ')}`);
  totals.failed += 1;
}
// Once more where somebody looks first, with the end of each detail: behind what a test has logged, it says what was wrong.
if (run.failures.length > 0) console.log('failed:');
for (const failure of run.failures) print({ ...failure, detail: failure.detail.slice(-30) });
if (totals.skipped > 0) console.log(`${totals.skipped} skipped`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;

function selected(): Selection {
  try {
    return select(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(2);
  }
}

async function runAll(): Promise<void> {
  if (files.length === 0) return;
  const name = selection.rungs.join(' and ');
  const started = performance.now();
  console.log(`${name}: ${files.length} files`);
  if (files.some((file) => rungOf(file) !== 'unit')) await compileAgent();
  const { lanes, root } = plan(checkout, files, times, run);
  // Tests as root wait for half of their time: beside two lanes no processor does.
  await Promise.all([inLanes(2, lanes.map(timed)), inLanes(1, root.map(timed))]);
  console.log(`${name}: ${totals.passed} passed in ${secondsSince(started)} s`);
  keep();
}

/** Remembers how long files took, and says which were slow. */
function keep(): void {
  const notes = run.notes();
  for (const note of notes) times.add(note);
  times.save('local', all);
  if (selection.keepTimes === true) times.save('seed', all);
  for (const row of slowest(notes, 5)) console.log(row);
  const over = overBudget(notes);
  for (const line of over) console.log(`  ${selection.isBudgetStrict === true ? '✘' : '-'} ${line}`);
  if (selection.isBudgetStrict === true) totals.failed += over.length;
}

function ofChange(chosen: readonly string[]): readonly string[] {
  if (selection.since === undefined) return chosen;
  const changed = changedSince(checkout, selection.since);
  const textOf = (test: string): string => readFileSync(join(checkout, test), 'utf8');
  const { files: touched, reasons } = touchedBy(changed, chosen, workspacePackages(checkout), textOf);
  console.log(`${changed.length} files have changed since ${selection.since}`);
  for (const reason of reasons) console.log(`  ${reason}`);
  return touched;
}

function ofShard(chosen: readonly string[]): readonly string[] {
  if (selection.shard === undefined) return chosen;
  return filesOfShard(chosen, (file) => secondsIn(times, rungOf(file))(file), selection.shard);
}

function timed({ name, run: start }: Job): () => Promise<void> {
  return async () => {
    const started = performance.now();
    await start();
    console.log(`  ${name}: ${secondsSince(started)} s`);
  };
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
