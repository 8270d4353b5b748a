import {
  type InstallResponseInit,
  type LifecycleServiceHandlers,
  UpgradePhase,
} from '@nodecore/api/lifecycle';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const image = '10.5.0.1:8081/metal-installer/cafe:v1.14.1';
const entry = 'nodeos-1.14.1-1.efi';
const goes: readonly InstallResponseInit[] = [
  { phase: UpgradePhase.PULL, message: 'pulls the boot image', doneBytes: 30n, totalBytes: 60_000_000n },
  { phase: UpgradePhase.WRITE, message: 'writes v1.14.1 on /dev/vda', doneBytes: 6n, totalBytes: 60n },
  { phase: UpgradePhase.SWITCH, message: 'v1.14.1 on /dev/vda is installed', entry, version: 'v1.14.1' },
  { exitCode: 0 },
];

async function machine(t: ExecutionContext, answers = goes, becomes: object = {}, starts = entry) {
  const asked: string[] = [];
  const boots = { bootId: 'first' };
  const booted = { entry: '', version: '' };
  const machineStatus = { stage: 'maintenance', status: { ready: true } };
  const specs = {
    'BootIDs.runtime.nodecore.dev': { bootid: boots },
    'BootedEntries.runtime.nodecore.dev': { booted },
    'MachineStatuses.runtime.nodecore.dev': { machine: machineStatus },
  };
  const lifecycle: Partial<LifecycleServiceHandlers> = {
    install: (call) => {
      const { source, destination, dryRun, force, wipe, expectedDigest } = call.request;
      asked.push(JSON.stringify([source?.imageName, destination?.disk, dryRun, force, wipe, expectedDigest]));
      for (const answer of answers) call.write(answer);
      call.end();
    },
  };
  const reboot = (_call: unknown, answer: (error: null, value: { actorId: string }) => void): void => {
    asked.push('reboot');
    boots.bootId = 'second';
    Object.assign(booted, { entry: starts, version: 'v1.14.1' });
    Object.assign(machineStatus, becomes);
    answer(null, { actorId: 'a' });
  };
  const { endpoint } = await startFakeNode(t, { specs, machine: { reboot }, lifecycle });
  return { endpoint, asked, env: await clientConfig(t, { endpoints: [endpoint] }) };
}

test('a node is installed with what was asked for, and reboots into it', async (t) => {
  const { endpoint, asked, env } = await machine(t);
  const { code, out, error } = await osctl(['install', '--image', image, '--disk', '/dev/vda'], { env });
  t.is(code, 0, error);
  t.is(out, `${endpoint}: is back, in maintenance: v1.14.1\n`);
  t.deepEqual(asked, [JSON.stringify([image, '/dev/vda', false, false, false, '']), 'reboot']);
  for (const line of ['pulls the boot image: 0 % of 60.0 MB', 'writes v1.14.1 on /dev/vda: 10 % of 60 B'])
    t.true(error.includes(`${endpoint}: ${line}\n`), error);
});

test('a member of a kvstore that nobody could have begun before is installed when it waits for that alone', async (t) => {
  const reason = 'it has no data: run osctl bootstrap on one node of the cluster';
  const status = { ready: false, unmetConditions: [{ name: 'kvstore', reason }] };
  const { endpoint, env } = await machine(t, goes, { stage: 'running', status });
  const { code, out, error } = await osctl(['install', '--image', image, '--disk', '/dev/vda'], { env });
  t.deepEqual([code, out], [0, `${endpoint}: is back (kvstore: ${reason}): v1.14.1\n`], error);
});

test('a node that came back from another installation than the new one is not installed', async (t) => {
  const { endpoint, env } = await machine(t, goes, {}, 'nodeos-1.14.1-7.efi');
  const { code, out, error } = await osctl(['install', '--image', image, '--disk', '/dev/vda'], { env });
  t.deepEqual([code, out], [1, '']);
  t.true(error.includes(`${endpoint}: v1.14.1 did not come up, and another installation of it`), error);
});

test('flags become fields of the request; without a reboot, and in a dry run, the node goes on', async (t) => {
  const { endpoint, asked, env } = await machine(t);
  const words = ['install', '--image', image, '--disk', '/dev/vda', '--expected-digest', 'sha256:00'];
  const written = await osctl([...words, '--wipe', '--force', '--reboot=false'], { env });
  t.deepEqual(
    [written.code, written.out],
    [0, `${endpoint}: v1.14.1 is on /dev/vda; the next boot starts it\n`],
    written.error,
  );
  t.is((await osctl([...words, '--dry-run'], { env })).code, 0);
  t.deepEqual(asked, [
    JSON.stringify([image, '/dev/vda', false, true, true, 'sha256:00']),
    JSON.stringify([image, '/dev/vda', true, false, false, 'sha256:00']),
  ]);
  t.is((await osctl(['install', '--image', image], { env })).code, 2);
});

test('a node that installs nothing says why, and is not rebooted', async (t) => {
  const { endpoint, asked, env } = await machine(t, [
    { message: '/dev/vda is not empty (ERR_INSTALL_NOT_EMPTY)' },
    { exitCode: 1 },
  ]);
  const { code, error } = await osctl(['install', '--image', image, '--disk', '/dev/vda'], { env });
  t.is(code, 1);
  t.true(error.includes(`${endpoint} was not installed: /dev/vda is not empty`), error);
  t.is(asked.length, 1);
});
