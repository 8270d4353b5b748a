import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ended, identityOf, isRunning } from '@nodecore/sys';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { endKept, Machine, type MachineSpec } from '../src/index.ts';
import { keptStarter } from '../src/lifetime.ts';
import { MachineRecord, type RecordedProgram } from '../src/machine-record.ts';
import { tinyMachine } from './guests.ts';

const qemu = program('qemu-system-x86_64');
const keeper = fileURLToPath(new URL('keeper.ts', import.meta.url));
const lifetime = 'kept' as const;

testWith(qemu, program('swtpm'))(
  'a machine outlives its killed keeper, and the next one takes it over and ends it',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const spec = { ...(await tinyMachine(directory, 'obedient')), tpm: 'tis' } as const;
    const first = spawn(process.execPath, ['--conditions=source', keeper, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => first.kill('SIGKILL'));
    await once(first.stdout, 'data');
    const lines = (await readFile(join(directory, 'machine.programs'), 'utf8')).trim().split('\n');
    const programs = lines.map((line) => JSON.parse(line) as RecordedProgram);
    const running = (): number => programs.filter(isRunning).length;
    t.teardown(() => {
      for (const each of programs) if (isRunning(each)) process.kill(each.pid, 'SIGKILL');
    });
    t.deepEqual(
      programs.map(({ name }) => name),
      ['swtpm', 'qemu-system-x86_64'],
    );
    await t.throwsAsync(Machine.open(spec, { directory, lifetime }), { code: 'ERR_MACHINE_BUSY' });
    first.kill('SIGKILL');
    await once(first, 'exit');
    t.is(running(), 2);

    {
      await using second = await Machine.open(spec, { directory, lifetime });
      t.is(second.state, 'running');
    }
    t.is(running(), 2, 'a keeper that ends in order lets it go on');

    await using third = await Machine.open(spec, { directory, lifetime });
    await third.pause();
    t.is(third.state, 'paused');
    await third.powerOff({ graceMs: 60_000 });
    t.is(third.reason, 'guest-shutdown');
    t.is(running(), 0);
    t.false(existsSync(join(directory, 'machine.programs')));
  },
);

testWith(qemu)("no other process is taken for a machine's", async (t) => {
  const [directory, copy] = [await temporaryDirectory(t), await temporaryDirectory(t)];
  const spec = await tinyMachine(directory, 'deaf');
  const sleeper = spawn('sleep', ['1000'], { cwd: directory, stdio: 'ignore' });
  t.teardown(() => sleeper.kill('SIGKILL'));
  await once(sleeper, 'spawn');
  const identity = identityOf(sleeper.pid ?? 0);
  if (identity === undefined) throw new Error('sleep ended');

  // The id was given to another process after the machine's had ended.
  const reused = { ...identity, startTime: '1', name: 'qemu-system-x86_64' };
  await writeFile(join(directory, 'machine.programs'), `${JSON.stringify(reused)}\n`);
  await using machine = await Machine.open(spec, { directory, lifetime });
  t.is(machine.state, 'off');
  t.true(isRunning(identity));

  await machine.powerOn();
  await cp(join(directory, 'machine.programs'), join(copy, 'machine.programs'));
  await using other = await Machine.open(await tinyMachine(copy, 'deaf'), { directory: copy, lifetime });
  t.is(other.state, 'off', 'a copy of a directory does not have the machine of the original');
  t.is(machine.state, 'running');
  await machine.kill();
});

test('a machine whose disks are never flushed is not kept', async (t) => {
  const directory = await temporaryDirectory(t);
  const spec: MachineSpec = { ...(await tinyMachine(directory, 'deaf')), durability: 'none' };
  await t.throwsAsync(Machine.open(spec, { directory, lifetime }), {
    code: 'ERR_MACHINE_SPEC',
    message: /survive/,
  });
  await using machine = await Machine.open(spec, { directory });
  t.is(machine.state, 'off');
});

test('a program of a kept machine runs only when it stands in the record', async (t) => {
  const directory = await temporaryDirectory(t);
  const full = { add: () => Promise.reject(new Error('no space')) };
  const argv = ['sh', '-c', 'echo ran > ran'] as const;
  await t.throwsAsync(keptStarter(directory, full)([...argv], ['ignore', 'ignore', 'ignore']), {
    message: 'no space',
  });

  let before = true;
  const record = {
    add: async ({ pid, name }: RecordedProgram) => {
      before = existsSync(join(directory, 'ran'));
      t.is(name, 'sh');
      t.is(identityOf(pid)?.pid, pid);
    },
  };
  const child = await keptStarter(directory, record)([...argv], ['ignore', 'ignore', 'ignore']);
  await ended(child);
  t.false(before);
  t.true(existsSync(join(directory, 'ran')));
});

test('the programs of a machine are ended when they are gone, not when they were told to go', async (t) => {
  const directory = await temporaryDirectory(t);
  // So much memory takes its time to be given back.
  const script =
    "globalThis.held = Buffer.alloc(2 ** 29, 1); console.log('holds'); setInterval(() => {}, 1e6);";
  const child = spawn(process.execPath, ['--eval', script], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const identity = identityOf(child.pid!)!;
  await once(child.stdout, 'data');
  await (await MachineRecord.read(directory)).add({ ...identity, name: 'node' });
  await endKept(directory);
  t.false(isRunning(identity));
  t.deepEqual((await MachineRecord.read(directory)).programs, []);
});
