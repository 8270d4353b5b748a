/**
 * The test command: `npm test [RUNG…] [WORD…]`.
 *
 * Without arguments it runs every rung. It ends with `N passed, N failed`, and fails when a test failed, when
 * something could not run on this machine, or when the run left anything behind. What others left meanwhile is named.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

import { compileAgent, compileCache } from './compile-cache.ts';
import { inLanes } from './lanes.ts';
import { leftovers } from './leftovers.ts';
import { runTap, type Totals } from './run-files.ts';
import { filesOf, type Rung, type RungFiles, select, testFiles } from './rungs.ts';

const checkout = fileURLToPath(new URL('../../../..', import.meta.url));
const avaCommand = [execPath, 'node_modules/ava/entrypoints/cli.js', '--tap'] as const;
const noFiles: RungFiles = { host: [], network: [], guest: [] };
/** What takes longest begins first, so that no processor waits for the other's last machine. */
const longest = ['node-keys', 'agent-e2e', 'provisioning-kill', 'start', 'sealed-keys', 'trim'];
const totals: Totals = { passed: 0, failed: 0, skipped: 0 };

/** Everything that tests make carries this name, which tells it from what others make on the machine meanwhile. */
const directory = mkdtempSync(join(tmpdir(), 'nodecore-run-'));
chmodSync(directory, 0o711); // etcd runs as a user of its own, and its data is in there

const env = {
  ...process.env,
  TMPDIR: directory,
  // A rung that was asked for runs, or fails: a test that silently skips proves nothing.
  NODECORE_NEEDS: 'required',
  NODE_COMPILE_CACHE: compileCache,
};

const selection = select(process.argv.slice(2));
const files = testFiles(checkout);
const before = leftovers(directory).others;
const chosen = (rung: Rung): RungFiles =>
  selection.rungs.includes(rung) ? filesOf(rung, files, selection.words) : noFiles;
const parts = { unit: chosen('unit'), root: chosen('root'), machines: [chosen('fault'), chosen('vm')] };
await run(parts);

const { ours, others } = leftovers(directory);
for (const thing of others) if (!before.has(thing)) console.log(`  - not ours: ${thing}`);
for (const thing of ours) console.log(`  ✘ left behind: ${thing}`);
totals.failed += ours.size;
// Through a mount that was left, this would remove what others keep there.
if (ours.size === 0) rmSync(directory, { recursive: true, force: true });
if (totals.passed + totals.failed === 0) {
  console.log(`no test matches: ${process.argv.slice(2).join(' ')}`);
  totals.failed += 1;
}
if (totals.skipped > 0) console.log(`${totals.skipped} skipped`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;

async function run({ unit, root, machines }: typeof parts): Promise<void> {
  const count = [unit, root, ...machines].flatMap(Object.values).flat().length;
  if (count === 0) return;
  const name = selection.rungs.join(' and ');
  const started = performance.now();
  console.log(`${name}: ${count} files`);
  if (selection.rungs.some((rung) => rung !== 'unit')) await compileAgent();
  // Tests as root wait for half of their time: beside those of the unit rung no processor does.
  await inLanes(2, [...unitJobs(unit), ...rootJobs(root), ...machineJobs(machines)]);
  console.log(`${name}: ${totals.passed} passed in ${secondsSince(started)} s`);
}

function unitJobs({ host }: RungFiles): readonly (() => Promise<void>)[] {
  return host.length === 0 ? [] : [timed('unit', () => ava('--concurrency', '2', ...host))];
}

/** One job: loop devices are few, so its files run one after the other. */
function rootJobs({ host, network }: RungFiles): readonly (() => Promise<void>)[] {
  if (host.length + network.length === 0) return [];
  const job = async (): Promise<void> => {
    if (host.length > 0) await ava('--concurrency', '1', ...host);
    // The whole process from its start: threads that come later are in the namespace, too.
    for (const file of network) await add(['unshare', '--net', ...avaCommand, file]);
  };
  return [timed('as root', job)];
}

/** An emulated machine keeps one processor busy: there are as many as the smallest computer has processors. */
function machineJobs(parts: readonly RungFiles[]): readonly (() => Promise<void>)[] {
  const guest = parts.flatMap((part) => part.guest);
  const host = parts.flatMap((part) => part.host).toSorted((one, other) => place(one) - place(other));
  const inside = ['--conditions=source', 'hw-tests/src/commands/run-in-vm.ts', '--tap', ...guest] as const;
  return [
    ...(guest.length > 0 ? [timed('inside a machine', () => add([execPath, ...inside]))] : []),
    ...host.map((file) => timed(file, () => ava(file))),
  ];
}

function place(file: string): number {
  const index = longest.findIndex((name) => file.startsWith(`hw-tests/test/${name}.`));
  return index < 0 ? longest.length : index;
}

function timed(name: string, job: () => Promise<void>): () => Promise<void> {
  return async () => {
    const started = performance.now();
    await job();
    console.log(`  ${name}: ${secondsSince(started)} s`);
  };
}

async function ava(...words: readonly string[]): Promise<void> {
  await add([...avaCommand, ...words]);
}

async function add(argv: readonly [string, ...string[]]): Promise<void> {
  const { passed, failed, skipped } = await runTap(argv, { cwd: checkout, env });
  totals.passed += passed;
  totals.failed += failed;
  totals.skipped += skipped;
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
