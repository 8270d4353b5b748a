/**
 * The test command: `npm test [RUNG…] [WORD…]`.
 *
 * Without arguments it runs every rung. It ends with `N passed, N failed`, and fails when a test failed, when
 * something could not run on this machine, or when anything was left behind.
 */
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

import { inLanes } from './lanes.ts';
import { leftovers } from './leftovers.ts';
import { runTap, type Totals } from './run-files.ts';
import { filesOf, type Rung, type RungFiles, select, testFiles } from './rungs.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const avaCommand = [execPath, 'node_modules/ava/entrypoints/cli.js', '--tap'] as const;
const totals: Totals = { passed: 0, failed: 0, skipped: 0 };

// A rung that was asked for runs, or fails: a test that silently skips proves nothing.
const env = { ...process.env, NODECORE_NEEDS: 'required' };

const selection = select(process.argv.slice(2));
const files = testFiles(checkout);
const before = leftovers();
for (const rung of selection.rungs.filter((each) => !drivesMachines(each)))
  await run([rung], filesOf(rung, files, selection.words));
// Together, so that no processor waits for the other's last machine.
const machines = selection.rungs.filter(drivesMachines);
await run(machines, together(machines.map((rung) => filesOf(rung, files, selection.words))));

const left = [...leftovers()].filter((thing) => !before.has(thing));
for (const thing of left) console.log(`  ✘ left behind: ${thing}`);
totals.failed += left.length;
if (totals.passed + totals.failed === 0) {
  console.log(`no test matches: ${process.argv.slice(2).join(' ')}`);
  totals.failed += 1;
}
if (totals.skipped > 0) console.log(`${totals.skipped} skipped`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;

async function run(rungs: readonly Rung[], files: RungFiles): Promise<void> {
  const { host, network, guest } = files;
  const count = host.length + network.length + guest.length;
  if (count === 0) return;
  const name = rungs.join(' and ');
  const started = performance.now();
  const passed = totals.passed;
  console.log(`${name}: ${count} files`);
  await (rungs.some(drivesMachines)
    ? runMachines(files)
    : runHere(rungs.includes('unit') ? '2' : '1', files));
  console.log(`${name}: ${totals.passed - passed} passed in ${secondsSince(started)} s`);
}

/** The longest come first: those of the fault rung. */
function together(parts: readonly RungFiles[]): RungFiles {
  const all = parts.toReversed();
  return {
    host: all.flatMap(({ host }) => host),
    network: all.flatMap(({ network }) => network),
    guest: all.flatMap(({ guest }) => guest),
  };
}

/** Whether most of a rung's files start a virtual machine. */
function drivesMachines(rung: Rung): boolean {
  return rung === 'vm' || rung === 'fault';
}

/** Loop devices are few: only the unit rung runs files side by side. */
async function runHere(concurrency: '1' | '2', { host, network }: RungFiles): Promise<void> {
  if (host.length > 0) await ava('--concurrency', concurrency, ...host);
  // The whole process from its start: threads that come later are in the namespace, too.
  for (const file of network) await add(['unshare', '--net', ...avaCommand, file]);
}

/** An emulated machine keeps one processor busy: there are as many machines as the smallest computer has processors. */
async function runMachines({ host, guest }: RungFiles): Promise<void> {
  const inside = ['--conditions=source', 'hw-tests/src/commands/run-in-vm.ts', '--tap', ...guest] as const;
  const jobs = host.map((file) => timed(file, () => ava(file)));
  if (guest.length > 0) jobs.unshift(timed('inside a machine', () => add([execPath, ...inside])));
  await inLanes(2, jobs);
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
