import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { consoleSays, Machine, type PowerOffReason, type PowerState } from '../src/index.ts';
import { tinyMachine } from './guests.ts';

const qemu = program('qemu-system-x86_64');
type Change = readonly [PowerState, PowerOffReason | undefined];

testWith(qemu)('a guest that obeys its power button goes off by itself, and says so', async (t) => {
  const directory = await temporaryDirectory(t);
  const changes: Change[] = [];
  await using machine = await Machine.open(await tinyMachine(directory, 'obedient'), {
    directory,
    onState: (...change) => changes.push(change),
  });
  t.is(machine.state, 'off');
  await machine.powerOn();
  await consoleSays(directory, 'R');
  await machine.powerOn(); // it is on
  await machine.pause();
  t.is(machine.state, 'paused');
  await machine.resume();
  await machine.powerOff({ graceMs: 60_000 });
  t.is(machine.reason, 'guest-shutdown');
  t.deepEqual(
    changes.map(([state]) => state),
    ['running', 'paused', 'running', 'shutting-down', 'off'],
  );
  t.deepEqual(changes.at(-1), ['off', 'guest-shutdown']);
  await t.throwsAsync(machine.pause(), { code: 'ERR_MACHINE_STOPPED' });
  await machine.powerOff();
});

testWith(qemu)(
  'a guest that does not obey is killed after the grace period, a paused one, too',
  async (t) => {
    const directory = await temporaryDirectory(t);
    await using machine = await Machine.open(await tinyMachine(directory, 'deaf'), { directory });
    await machine.powerOn();
    await machine.powerOff({ graceMs: 1 });
    t.is(machine.reason, 'requested');
    t.is(machine.state, 'off');
  },
);

testWith(qemu)('a machine that is closed while it is switched on is off, and stays off', async (t) => {
  const directory = await temporaryDirectory(t);
  const machine = await Machine.open(await tinyMachine(directory, 'deaf'), { directory });
  t.teardown(() => machine.kill());
  const switchedOn = machine.powerOn();
  await machine.close();
  await t.throwsAsync(switchedOn, { instanceOf: TypeError });
  t.is(machine.state, 'off');
  await t.throwsAsync(machine.powerOn(), { instanceOf: TypeError });
});

testWith(qemu)('a guest that wants to start anew leaves its machine off, which says why', async (t) => {
  const directory = await temporaryDirectory(t);
  await using machine = await Machine.open(await tinyMachine(directory, 'resetting'), { directory });
  await machine.powerOn();
  await machine.stopped();
  t.is(machine.reason, 'guest-reset');
});

testWith(qemu)('a guest whose kernel gives up is panicked, then off', async (t) => {
  const directory = await temporaryDirectory(t);
  const changes: Change[] = [];
  await using machine = await Machine.open(await tinyMachine(directory, 'panicking'), {
    directory,
    onState: (...change) => changes.push(change),
  });
  await machine.powerOn({ arguments: ['-device', 'pvpanic'] });
  await machine.stopped();
  t.deepEqual(changes, [
    ['running', undefined],
    ['panicked', undefined],
    ['off', 'guest-panic'],
  ]);
});

testWith(qemu)('what QEMU does not take is the error, with its words', async (t) => {
  const directory = await temporaryDirectory(t);
  const spec = await tinyMachine(directory, 'deaf');
  for (const lifetime of ['tethered', 'kept'] as const) {
    await using machine = await Machine.open(spec, { directory, lifetime });
    await t.throwsAsync(machine.powerOn({ arguments: ['-device', 'no-such-device'] }), {
      code: 'ERR_MACHINE_START',
      message: /no-such-device/,
    });
    t.is(machine.state, 'off');
  }
});

testWith(qemu)('QEMU knows every device that a machine can have', async (t) => {
  const directory = await temporaryDirectory(t);
  const spec = await tinyMachine(directory, 'deaf');
  await writeFile(join(directory, 'media'), Buffer.alloc(4096));
  await using machine = await Machine.open(
    {
      ...spec,
      ports: ['a.port', 'another'],
      disks: [...spec.disks, { driver: 'megaraid', sizeBytes: 1 << 20, serial: 'WIDE', sectorSize: 4096 }],
      watchdog: 'none',
      panicDevice: true,
      numaNodes: 2,
      iommu: true,
      cpus: 4,
      balloon: true,
      clock: new Date('2011-11-11T11:11:00Z'),
      nics: [
        { backend: { kind: 'user' }, mac: '52:54:00:00:00:01', mtu: 1400 },
        { backend: { kind: 'user', restricted: false }, model: 'e1000' },
        { backend: { kind: 'socket', path: 'frames.sock', listens: true }, model: 'e1000e' },
        { backend: { kind: 'user' }, model: 'rtl8139' },
      ],
    },
    { directory },
  );
  for (const boot of [
    { kind: 'disk' },
    { kind: 'network' },
    { kind: 'iso', file: 'media' },
    { kind: 'usb', file: 'media' },
  ] as const) {
    await machine.powerOn({ boot });
    t.is(machine.state, 'running', boot.kind);
    await machine.kill();
  }
});
