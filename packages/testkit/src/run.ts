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
const noFiles: RungFiles = { host: [], network: [], guest: [] };
/**
 * The agent's whole life: its machine is switched off on the way, which keeps what Node has compiled for the machines after
 * it, where the agent starts in half the time.
 */
const early = '/agent-e2e.vm.test.ts';
const totals: Totals = { passed: 0, failed: 0, skipped: 0 };

// A rung that was asked for runs, or fails: a test that silently skips proves nothing.
const env = { ...process.env, NODECORE_NEEDS: 'required' };

const selection = select(process.argv.slice(2));
const files = testFiles(checkout);
const before = leftovers();
const chosen = (rung: Rung): RungFiles =>
  selection.rungs.includes(rung) ? filesOf(rung, files, selection.words) : noFiles;
const unit = chosen('unit');
await run(['unit'], [unit], [() => ava('--concurrency', '2', ...unit.host)]);
// Together, so that no processor waits for the other's last machine.
const others = selection.rungs.filter((rung) => rung !== 'unit');
const [root, machines] = [chosen('root'), [chosen('fault'), chosen('vm')]];
await run(others, [root, ...machines], [...rootJobs(root), ...machineJobs(machines)]);

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

async function run(
  rungs: readonly Rung[],
  parts: readonly RungFiles[],
  jobs: readonly (() => Promise<void>)[],
): Promise<void> {
  const count = parts.flatMap(({ host, network, guest }) => [host, network, guest]).flat().length;
  if (count === 0) return;
  const name = rungs.join(' and ');
  const started = performance.now();
  const passed = totals.passed;
  console.log(`${name}: ${count} files`);
  await inLanes(2, jobs);
  console.log(`${name}: ${totals.passed - passed} passed in ${secondsSince(started)} s`);
}

/** One job, which keeps about one processor busy: loop devices are few, so its files run one after the other. */
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
  const host = parts
    .flatMap((part) => part.host)
    .toSorted((one, other) => Number(other.endsWith(early)) - Number(one.endsWith(early)));
  const inside = ['--conditions=source', 'hw-tests/src/commands/run-in-vm.ts', '--tap', ...guest] as const;
  return [
    ...(guest.length > 0 ? [timed('inside a machine', () => add([execPath, ...inside]))] : []),
    ...host.map((file) => timed(file, () => ava(file))),
  ];
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
