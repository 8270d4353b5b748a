/**
 * `node --conditions=source hw-tests/src/commands/run-in-vm.ts [--tap] FILE…`: runs ava test files in the standard
 * machine. The report goes to standard output, everything else to standard error; the exit code is ava's.
 */
import { relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { fileOfBegin, noteBegin } from '@nodecore/testkit/notes';

import { checkout } from '../paths.ts';
import { blockedTasks } from '../blocked-tasks.ts';
import { RigMachine } from '../rig-machine.ts';
import { standardEnvironment, standardMachine } from '../standard-machine.ts';

const words = process.argv.slice(2);
const tap = words.includes('--tap');
const files = words.filter((word) => !word.startsWith('--')).map((file) => relative(checkout, resolve(file)));
if (files.length === 0) {
  console.error('usage: run-in-vm.ts [--tap] FILE…');
  process.exit(2);
}

const interrupt = new AbortController();
const abort = (): void => interrupt.abort();
process.once('SIGINT', abort);
process.once('SIGTERM', abort);

const started = performance.now();
await using machine = await RigMachine.boot(standardMachine, { signal: interrupt.signal });
console.error(`machine up in ${((performance.now() - started) / 1000).toFixed(1)} s`);
// A test run that has heard nothing for too long sends this, and waits half a minute before it kills.
process.off('SIGTERM', abort).once('SIGTERM', () => {
  void blockedTasks(machine).then(console.error).finally(abort);
});

// What steers a test run outside steers it inside.
const steering = Object.entries(process.env).filter(([name]) => /^(NODECORE|FAULT)_/.test(name));
const env: Record<string, string> = { FORCE_COLOR: process.stdout.isTTY && !tap ? '1' : '0' };
for (const [name, value] of steering) env[name] = value ?? '';
const child = machine.startAva(files, {
  tap,
  env: { ...env, ...standardEnvironment(machine.devices) },
  signal: interrupt.signal,
});
child.stdout.pipe(process.stdout);
// A process in there can't write the notes of a test run.
for await (const line of createInterface({ input: child.stderr })) {
  const file = fileOfBegin(line);
  if (file === undefined) console.error(line);
  else noteBegin(file);
}
const { code } = await child.exited;
process.exitCode = code;
await machine.powerOff();
