/**
 * The test command: `npm test [RUNG…] [WORD…]`.
 *
 * Without arguments it runs every rung. It ends with `N passed, N failed`, and fails when a test failed, when
 * something could not run on this machine, or when anything was left behind.
 */
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

import { leftovers } from './leftovers.ts';
import { runTap, type Totals } from './run-files.ts';
import { filesOf, type Rung, type RungFiles, select, testFiles } from './rungs.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const totals: Totals = { passed: 0, failed: 0, skipped: 0 };

// A rung that was asked for runs, or fails: a test that silently skips proves nothing.
const env = { ...process.env, NODECORE_NEEDS: 'required' };

const selection = select(process.argv.slice(2));
const files = testFiles(checkout);
const before = leftovers();
for (const rung of selection.rungs) await run(rung, filesOf(rung, files, selection.words));

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

async function run(rung: Rung, { host, network, guest }: RungFiles): Promise<void> {
  const count = host.length + network.length + guest.length;
  if (count === 0) return;
  const started = performance.now();
  const passed = totals.passed;
  console.log(`${rung}: ${count} files`);
  // Machines are heavy and loop devices are few: only the unit rung runs files side by side.
  const concurrency = rung === 'unit' ? '2' : '1';
  const ava = ['node_modules/ava/entrypoints/cli.js', '--tap', '--concurrency', concurrency];
  if (host.length > 0) await runTap([execPath, ...ava, ...host], { cwd: checkout, env, totals });
  // The whole process from its start: threads that come later are in the namespace, too.
  for (const file of network)
    await runTap(['unshare', '--net', execPath, ...ava, file], { cwd: checkout, env, totals });
  if (guest.length > 0) {
    const inside = ['--conditions=source', 'hw-tests/src/commands/run-in-vm.ts', '--tap', ...guest];
    await runTap([execPath, ...inside], { cwd: checkout, env, totals });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${rung}: ${totals.passed - passed} passed in ${seconds} s`);
}
