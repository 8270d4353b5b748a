import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';

import { compileCache } from './compile-cache.ts';
import { runShared } from './groups/run-shared.ts';
import { leftovers } from './leftovers.ts';
import { type FileNote, notesOf } from './notes.ts';
import { type RunOptions, runTap, type Totals } from './run-files.ts';

type Argv = readonly [string, ...string[]];

const avaCommand = [execPath, 'node_modules/ava/entrypoints/cli.js', '--tap'] as const;

/**
 * ava waits for ever for a program that a failed test left with ava's own pipes, and for a process that waits in a
 * machine's kernel for a disk.
 */
const maxSilenceMs = 12 * 60_000;

/** A run of test files: what they came to, how long each took, and what they left on the machine. */
export class TestRun {
  readonly totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  /** Everything that tests make carries this name, which tells it from what others make on the machine meanwhile. */
  readonly #directory = mkdtempSync(join(tmpdir(), 'nodecore-run-'));
  readonly #before: ReadonlySet<string>;
  readonly #notes: FileNote[] = [];
  readonly #options: RunOptions;

  constructor(checkout: string) {
    chmodSync(this.#directory, 0o711); // etcd runs as a user of its own, and its data is in there
    this.#before = leftovers(this.#directory).others;
    const env = {
      ...process.env,
      TMPDIR: this.#directory,
      // A rung that was asked for runs, or fails: a test that silently skips proves nothing.
      NODECORE_NEEDS: 'required',
      NODECORE_TEST_NOTES: join(this.#directory, 'notes'),
      NODE_COMPILE_CACHE: compileCache,
    };
    this.#options = { cwd: checkout, env, maxSilenceMs };
  }

  /** What is known of the files that have run. */
  notes(): FileNote[] {
    return [...notesOf(join(this.#directory, 'notes')), ...this.#notes];
  }

  /** Runs files in processes of their own, `concurrency` at once. */
  async ava(files: readonly string[], concurrency = 1): Promise<void> {
    if (files.length > 0) await this.#add([...avaCommand, '--concurrency', String(concurrency), ...files]);
  }

  /** Runs a file in a network namespace of its own. */
  async network(file: string): Promise<void> {
    // The whole process from its start: threads that come later are in the namespace, too.
    await this.#add(['unshare', '--net', ...avaCommand, file]);
  }

  /** Runs files in one process, and those of which it proves impossible in processes of their own. */
  async shared(files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    const { totals, notes, left } = await runShared(files, this.#directory, this.#options);
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

  /** Runs files inside the virtual node. */
  async inside(files: readonly string[]): Promise<void> {
    const ended = new Map<string, number>();
    const started = performance.now();
    const argv = [
      execPath,
      '--conditions=source',
      'hw-tests/src/commands/run-in-vm.ts',
      '--tap',
      ...files,
    ] as const;
    const onTitle = (title: string): void => {
      const file = files.length === 1 ? files[0] : files.find((one) => isOf(title, one));
      if (file !== undefined) ended.set(file, performance.now());
    };
    await this.#add(argv, { onTitle });
    // They run one after the other; a process in there can't tell.
    let before = started;
    for (const [file, end] of ended) {
      this.#notes.push({ file, seconds: (end - before) / 1000 });
      before = end;
    }
  }

  /** Counts and names what was left behind, names what others left, and removes the run's directory. */
  end(): void {
    const { ours, others } = leftovers(this.#directory);
    for (const thing of others) if (!this.#before.has(thing)) console.log(`  - not ours: ${thing}`);
    for (const thing of ours) console.log(`  ✘ left behind: ${thing}`);
    this.totals.failed += ours.size;
    // Through a mount that was left, this would remove what others keep there.
    if (ours.size === 0) rmSync(this.#directory, { recursive: true, force: true });
  }

  async #add(argv: Argv, options: Pick<RunOptions, 'onTitle'> = {}): Promise<void> {
    this.#count(await runTap(argv, { ...this.#options, ...options }));
  }

  #count({ passed, failed, skipped }: Totals): void {
    this.totals.passed += passed;
    this.totals.failed += failed;
    this.totals.skipped += skipped;
  }
}

/** Whether ava put this file in front of the title; it leaves out the folders that all files have in common. */
function isOf(title: string, file: string): boolean {
  const name = file.replace(/^packages\/[^/]+\//, '').replace(/\.test\.ts$/, '');
  return ` › ${title}`.includes(` › ${name.replaceAll('/', ' › ')} › `);
}
