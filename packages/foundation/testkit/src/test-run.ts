import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';

import { compileCache, compileTests } from './compile-cache.ts';
import { runShared } from './groups/run-shared.ts';
import { leftovers } from './leftovers.ts';
import { beginsIn, type FileNote, notesOf } from './notes.ts';
import { print, type RunOptions, type Totals } from './run-files.ts';
import { runInOrder } from './run-in-order.ts';
import { rungOf } from './rungs.ts';
import { avaProgram, type TapResult } from './tap.ts';

type Argv = readonly [string, ...string[]];

const avaCommand = [execPath, avaProgram, '--tap', '--concurrency', '1'] as const;

/** A run of test files: what they came to, how long each took, and what they left on the machine. */
export class TestRun {
  readonly totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  /** What failed. */
  readonly failures: TapResult[] = [];
  /** Everything that tests make carries this name, which tells it from what others make on the machine meanwhile. */
  readonly #directory = mkdtempSync(join(tmpdir(), 'nodecore-run-'));
  readonly #before: ReadonlySet<string>;
  readonly #notes: FileNote[] = [];
  readonly #notesPath = join(this.#directory, 'notes');
  readonly #options: RunOptions;

  constructor(checkout: string) {
    chmodSync(this.#directory, 0o711); // etcd runs as a user of its own, and its data is in there
    this.#before = leftovers(this.#directory).others;
    const env = {
      ...process.env,
      TMPDIR: this.#directory,
      // A rung that was asked for runs, or fails: a test that silently skips proves nothing.
      NODECORE_NEEDS: 'required',
      NODECORE_TEST_NOTES: this.#notesPath,
      NODE_COMPILE_CACHE: compileCache,
    };
    const onResult = (result: TapResult): void => {
      print(result);
      if (result.outcome === 'failed') this.failures.push(result);
    };
    this.#options = { cwd: checkout, env, onResult };
  }

  /** What is known of the files that have run. */
  notes(): FileNote[] {
    return [...notesOf(this.#notesPath), ...this.#notes];
  }

  /** Runs files in processes of their own, one after the other. */
  async ava(files: readonly string[]): Promise<void> {
    await this.#inOrder(files, (left) => [...avaCommand, ...left]);
  }

  /** Runs a file in a network namespace of its own. */
  async network(file: string): Promise<void> {
    // The whole process from its start: threads that come later are in the namespace, too.
    await this.#inOrder([file], (left) => ['unshare', '--net', ...avaCommand, ...left]);
  }

  /** Runs files in one process, and those of which it proves impossible in processes of their own. */
  async shared(files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    const { totals, notes, left } = await runShared(files, this.#directory, {
      ...this.#options,
      maxSilenceMs: silenceOf(files),
    });
    this.#count(totals);
    this.#notes.push(...notes);
    for (const { file, reason } of left) console.log(`  - ${file} runs in a process of its own: ${reason}`);
    await this.ava(left.map(({ file }) => file));
    // It knows more than the process that had the file to itself.
    for (const { file, reason } of left) {
      const seconds = this.notes().find((note) => note.file === file)?.seconds ?? 0;
      this.#notes.push({ file, seconds, needs: reason });
    }
  }

  /** Runs files inside the virtual node; behind one that hangs, in a new one. */
  async inside(files: readonly string[]): Promise<void> {
    await compileTests(files);
    const startedMs = Date.now();
    const program = [execPath, '--conditions=source', 'hw-tests/src/commands/run-in-vm.ts', '--tap'] as const;
    await this.#inOrder(files, (left) => [...program, ...left]);
    // They run one after the other; a process in there can't tell. The machine's start counts for the first.
    const begins = beginsIn(this.#notesPath).filter(({ begun }) => files.includes(begun));
    for (const [index, { begun, atMs }] of begins.entries()) {
      const fromMs = index === 0 ? startedMs : atMs;
      const untilMs = begins[index + 1]?.atMs ?? Date.now();
      this.#notes.push({ file: begun, seconds: (untilMs - fromMs) / 1000 });
    }
  }

  /** Counts and names what was left behind, names what others left, and removes the run's directory. */
  end(): void {
    const { ours, others } = leftovers(this.#directory);
    for (const thing of others) if (!this.#before.has(thing)) console.log(`  - not ours: ${thing}`);
    for (const thing of ours) {
      const left: TapResult = { outcome: 'failed', title: `left behind: ${thing}`, detail: [] };
      print(left);
      this.failures.push(left);
    }
    this.totals.failed += ours.size;
    // Through a mount that was left, this would remove what others keep there.
    if (ours.size === 0) rmSync(this.#directory, { recursive: true, force: true });
  }

  async #inOrder(files: readonly string[], argvOf: (left: readonly string[]) => Argv): Promise<void> {
    const options = { ...this.#options, maxSilenceMs: silenceOf(files) };
    this.#count(await runInOrder(files, argvOf, this.#notesPath, options));
  }

  #count({ passed, failed, skipped }: Totals): void {
    this.totals.passed += passed;
    this.totals.failed += failed;
    this.totals.skipped += skipped;
  }
}

/**
 * So long may files say nothing, in milliseconds. ava has a limit of its own, which is not used here: it ends all files with
 * the one that hangs, and names none.
 */
function silenceOf(files: readonly string[]): number {
  if (process.env['FAULT_CAMPAIGN'] === 'long') return 65 * 60_000; // a test of an hour reports once
  const isShort = files.every((file) => rungOf(file) === 'unit' || rungOf(file) === 'root');
  // A file that is one test of several starts says nothing for seven minutes where processors are half as fast.
  return (isShort ? 8 : 20) * 60_000;
}
