import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { codeOf } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';
import { pino } from 'pino';

import { shutdownOf } from '../src/image/shutdown.ts';
import { Lifecycle, type LifecycleParts } from '../src/lifecycle/lifecycle.ts';
import { machineStatus, outsideAddresses } from '../src/lifecycle/machine-status.ts';

const log = pino({ level: 'silent' });

/** A life cycle that writes down what it does. */
function noted(parts: Partial<LifecycleParts> = {}) {
  const done: string[] = [];
  const ended = Promise.withResolvers<string>();
  const init: LifecycleParts['init'] = {
    say: (message) => {
      done.push(`say ${message}`);
      ended.resolve(message);
      return true;
    },
  };
  const lifecycle = new Lifecycle({
    log,
    init,
    clock: new FakeClock(),
    quiesce: async () => void done.push('quiesce'),
    end: (ending) => {
      done.push(`end ${ending}`);
      ended.resolve(ending);
    },
    ...parts,
  });
  return { lifecycle, done, ended: ended.promise };
}

const codeFrom = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
};

test('without PID 1 nothing is ended, with the reason', (t) => {
  const { lifecycle, done } = noted({ init: undefined });
  const error = t.throws(() => lifecycle.begin('reboot', { takesOver: false }));
  t.is(codeOf(error), 'ERR_LIFECYCLE_NO_INIT');
  t.regex(error?.message ?? '', /not started by the node's init program/u);
  t.is(lifecycle.sequence, undefined);
  t.deepEqual(done, []);
});

test('callers are ended first, then the rest; the caller is answered before', async (t) => {
  const { lifecycle, done, ended } = noted();
  t.regex(lifecycle.begin('reboot', { takesOver: false }), /^[0-9a-f-]{36}$/u);
  t.deepEqual(done, []);
  t.is(await ended, 'reboot');
  t.deepEqual(done, ['quiesce', 'end reboot']);
});

test('what hangs does not keep a forced end waiting', async (t) => {
  const { lifecycle, done, ended } = noted();
  lifecycle.begin('shutdown', { takesOver: true, force: true });
  t.is(await ended, 'force-poweroff');
  t.deepEqual(done, ['say force-poweroff'], 'PID 1 is to wait for nothing, either');
});

test('what callers never let go of keeps the machine for a minute', async (t) => {
  const clock = new FakeClock();
  const { lifecycle, done, ended } = noted({ clock, quiesce: () => new Promise(() => {}) });
  lifecycle.begin('reboot', { takesOver: false });
  while (clock.sleepers === 0) await setImmediate();
  clock.advance(59_999);
  await setImmediate();
  t.deepEqual(done, []);
  clock.advance(1);
  t.is(await ended, 'reboot');
});

test('a shutdown that takes over from a reboot has the last word', async (t) => {
  const quiet = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waits = quiet.values();
  const { lifecycle, done, ended } = noted({
    quiesce: () => waits.next().value?.promise ?? Promise.resolve(),
  });
  lifecycle.begin('reboot', { takesOver: false });
  await setImmediate();
  lifecycle.begin('shutdown', { takesOver: true });
  await setImmediate();
  quiet[0]?.resolve();
  await setImmediate();
  t.deepEqual(done, [], 'the reboot is over');
  quiet[1]?.resolve();
  t.is(await ended, 'poweroff');
  t.deepEqual(done, ['end poweroff']);
});

test('a rollback that takes over from a reboot and fails leaves the reboot to happen', async (t) => {
  const quiet = Promise.withResolvers<void>();
  const waits = [quiet.promise].values();
  const { lifecycle, ended } = noted({ quiesce: () => waits.next().value ?? Promise.resolve() });
  lifecycle.begin('reboot', { takesOver: false });
  await setImmediate();
  const rollback = lifecycle.alone('rollback', () => Promise.reject(new Error('there is no other')));
  quiet.resolve();
  await t.throwsAsync(rollback, { message: 'there is no other' });
  t.is(await ended, 'reboot');
});

const off = async () => 'halt' as const;

test('a shutdown halts where the command line of the kernel says so, and a reboot does not', async (t) => {
  for (const force of [false, true]) {
    const one = noted({ off });
    one.lifecycle.begin('shutdown', { takesOver: true, force });
    t.is(await one.ended, force ? 'force-halt' : 'halt');
    const other = noted({ off });
    other.lifecycle.begin('reboot', { takesOver: true, force });
    t.is(await other.ended, force ? 'force-reboot' : 'reboot');
  }
  const path = join(await temporaryDirectory(t), 'cmdline');
  for (const [line, what] of [
    ['quiet os.shutdown=halt\n', 'halt'],
    ['quiet os.shutdown=poweroff\n', 'poweroff'],
    ['os.shutdown=halt os.shutdown=later\n', 'poweroff'],
    ['quiet\n', 'poweroff'],
  ] as const) {
    await writeFile(path, line);
    t.is(await shutdownOf(path), what, line);
  }
  t.is(await shutdownOf(`${path}-absent`), 'poweroff');
});

test('every sequence that begins is told, and the end of one that the machine outlives', async (t) => {
  const told: unknown[] = [];
  const { lifecycle, ended } = noted({ entered: (sequence) => void told.push(sequence) });
  await lifecycle.alone('upgrade', async () => {});
  lifecycle.begin('reboot', { takesOver: false });
  await ended;
  t.deepEqual(told, ['upgrade', undefined, 'reboot']);
});

test('one sequence at a time, but a shutdown takes over', async (t) => {
  const { lifecycle } = noted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const upgrade = lifecycle.alone('upgrade', () => promise);
  t.is(lifecycle.sequence, 'upgrade');
  t.is(
    codeFrom(() => lifecycle.begin('reboot', { takesOver: false })),
    'ERR_LIFECYCLE_LOCKED',
  );
  const second = await t.throwsAsync(lifecycle.alone('upgrade', async () => {}));
  t.is(second?.message, 'another installation/upgrade is already in progress');
  lifecycle.begin('shutdown', { takesOver: true });
  resolve();
  await upgrade;
  t.is(lifecycle.sequence, 'shutdown', 'the end of what was taken over does not end the shutdown');
});

const running = {
  sequence: undefined,
  isConfigured: true,
  isInMaintenance: false,
  isTimeReady: true,
  volumes: [
    { id: 'STATE', phase: 'ready' },
    { id: 'EPHEMERAL', phase: 'ready' },
    { id: 'u-data', phase: 'missing' },
  ],
  member: { phase: 'running' },
  addresses: ['10.5.0.2'],
} as const;

test('a machine is ready when its own volumes, its address and its member are there', (t) => {
  t.deepEqual(machineStatus(running), { stage: 'running', status: { ready: true, unmetConditions: [] } });
  t.true(
    machineStatus({ ...running, addresses: undefined }).status.ready,
    'the network of a host is its own',
  );
  const lacking = machineStatus({
    ...running,
    volumes: [{ id: 'EPHEMERAL', phase: 'failed', errorMessage: 'no key opens it' }],
    member: { phase: 'failed', reason: 'no room' },
    addresses: [],
  });
  t.false(lacking.status.ready);
  t.deepEqual(lacking.status.unmetConditions, [
    { name: 'network', reason: 'no interface has an address' },
    { name: 'volumes', reason: 'EPHEMERAL is failed: no key opens it' },
    { name: 'services', reason: 'kvstore is failed: no room' },
  ]);
});

test('stages', (t) => {
  const stage = (facts: Partial<Parameters<typeof machineStatus>[0]>): string =>
    machineStatus({ ...running, ...facts }).stage;
  t.is(stage({}), 'running');
  t.is(stage({ isConfigured: false }), 'booting');
  t.is(stage({ isConfigured: false, isInMaintenance: true }), 'maintenance');
  t.is(stage({ sequence: 'reboot' }), 'rebooting');
  t.is(stage({ sequence: 'shutdown' }), 'shuttingDown');
  t.is(stage({ sequence: 'upgrade' }), 'upgrading');
  t.true(
    machineStatus({ ...running, isConfigured: false, isInMaintenance: true, addresses: [] }).status.ready,
  );
});

const of = (address: string, internal = false) => ({
  address,
  internal,
  netmask: '',
  mac: '',
  cidr: null,
  ...(address.includes(':') ? { family: 'IPv6' as const, scopeid: 0 } : { family: 'IPv4' as const }),
});

test('addresses that nobody reaches from outside are none', (t) => {
  const addresses = ['fe80::1', '169.254.7.1', '10.5.0.2', 'fd00::2'].map((each) => of(each));
  t.deepEqual(outsideAddresses({ lo: [of('127.0.0.1', true)], eth0: addresses }), ['10.5.0.2', 'fd00::2']);
});
