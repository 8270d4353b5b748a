import test, { type ExecutionContext } from 'ava';

import type { VolumeSpec } from '../src/index.ts';
import { FakeDisk } from './fake-disk.ts';
import { FakeWorld } from './fake-world.ts';
import { Machine } from './machine.ts';
import { diskSpec, encryption, passphrase, userSpec } from './specs.ts';
import { onEphemeral, systemSpecs } from './system-specs.ts';

const on = (id: string): string => `disk.dev_path == "/dev/${id}"`;

function start(
  t: ExecutionContext,
  disks: FakeDisk[],
  specs: readonly VolumeSpec[],
): { readonly world: FakeWorld; readonly machine: Machine } {
  const world = new FakeWorld(disks);
  const machine = new Machine(world, specs);
  t.teardown(() => machine.stop());
  return { world, machine };
}

async function reachesReady(t: ExecutionContext, machine: Machine, ...ids: string[]): Promise<void> {
  const ready = await machine.until(() => ids.every((id) => machine.status(id).phase === 'ready'));
  t.true(
    ready,
    ids.map((id) => `${id}: ${machine.status(id).errorMessage ?? machine.status(id).reason}`).join(),
  );
}

test('blank disks become mounted volumes', async (t) => {
  const { world, machine } = start(
    t,
    [new FakeDisk('nvme0n1', 10_000), new FakeDisk('sda', 8000)],
    [
      userSpec('data', on('nvme0n1'), { encryption: encryption() }),
      userSpec('logs', on('nvme0n1')),
      diskSpec('db', on('sda'), { encryption: encryption() }),
    ],
  );
  await reachesReady(t, machine, 'u-data', 'u-logs', 'u-db');
  t.deepEqual(world.violations, []);
  t.like(machine.status('u-data'), {
    parentLocation: '/dev/nvme0n1',
    mountLocation: '/dev/mapper/luks2-u-data',
    encryptionProvider: 'luks2',
    encryptionSlot: 0,
    configuredEncryptionKeys: ['nodeID', 'static'],
    encryptionFailedSyncs: [],
  });
  t.is(machine.manager.mounts().filter((mount) => mount.phase === 'mounted').length, 3);
});

for (const type of ['dos', 'luks1', 'swap', 'linux_raid_member', 'ntfs', 'lvm2-pv']) {
  test(`a disk that holds ${type} is never written to`, async (t) => {
    const foreign = new FakeDisk('sda', 8000, { region: { kind: 'foreign', type } });
    const { world, machine } = start(t, [foreign], [userSpec('data', 'true'), diskSpec('db', 'true')]);
    await machine.until(() => false, 5);
    t.deepEqual(world.changes, []);
    for (const id of ['u-data', 'u-db']) {
      t.is(machine.status(id).phase, 'waiting');
      t.is(machine.status(id).reason, `no disk can be used: sda: holds ${type}`);
    }
  });
}

test('a disk with bytes that nobody recognises is never written to', async (t) => {
  const { world, machine } = start(
    t,
    [new FakeDisk('sda', 8000, { region: { kind: 'noise' } })],
    [userSpec('data', 'true')],
  );
  await machine.until(() => false, 5);
  t.deepEqual(world.changes, []);
  t.is(machine.status('u-data').reason, 'no disk can be used: sda: its first MiB has data');
});

test('a failing volume and a hung disk hold back nobody', async (t) => {
  const hung = new FakeDisk('sdb', 8000);
  hung.hung = true;
  const { machine } = start(
    t,
    [
      new FakeDisk('sda', 8000),
      hung,
      new FakeDisk('sdc', 8000, { region: { kind: 'foreign', type: 'ntfs' } }),
    ],
    [userSpec('a', on('sdb')), diskSpec('b', on('sdc')), userSpec('c', on('sda'))],
  );
  await reachesReady(t, machine, 'u-c');
  await machine.until(() => machine.status('u-a').reason?.includes('does not answer') === true);
  t.is(machine.status('u-a').reason, 'no disk can be used: sdb: does not answer; 2 others do not match');
});

test('an open volume is not held up by one whose unlocking does not end', async (t) => {
  const specs = [userSpec('data', on('sda'), { encryption: encryption() })];
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], specs);
  await reachesReady(t, machine, 'u-data');
  world.held = '/dev/sdb1';
  world.tell();
  t.false(await machine.until(() => machine.status('u-data').phase !== 'ready', 5));
  world.held = undefined;
});

test('data in a directory of EPHEMERAL is not hidden by a mount, what came with the image is', async (t) => {
  const data = onEphemeral(userSpec('data', on('sda')));
  const { world, machine } = start(
    t,
    [new FakeDisk('vda', 10_000), new FakeDisk('sda', 8000)],
    [...systemSpecs(), data],
  );
  world.hidden.set('/var', '/var/lib/dpkg/status');
  world.hidden.set(data.mount.target, '/var/mnt/data/old/file');
  t.true(await machine.until(() => machine.status('u-data').errorCode === 'ERR_VOLUME_HIDES_DATA'));
  t.is(machine.status('EPHEMERAL').phase, 'ready');
  world.hidden.delete(data.mount.target);
  await reachesReady(t, machine, 'u-data');
});

for (const id of ['STATE', 'EPHEMERAL']) {
  test(`what outlives a boot where ${id} belongs is not hidden by it`, async (t) => {
    const { world, machine } = start(t, [new FakeDisk('vda', 10_000)], systemSpecs());
    const target = systemSpecs().find((spec) => spec.id === id)?.mount.target ?? '';
    world.forgets = false;
    world.hidden.set(target, `${target}/file`);
    t.true(await machine.until(() => machine.status(id).errorCode === 'ERR_VOLUME_HIDES_DATA'));
    t.false(world.mounted.some((mount) => mount.target === target));
    world.hidden.clear();
    await reachesReady(t, machine, id);
  });
}

test('a disk that was swapped for another while a volume waited for its turn is not written to', async (t) => {
  const disk = new FakeDisk('sda', 8000, {
    facts: { sequence: 7n, serial: 'MINE' },
    region: { kind: 'gpt', partitions: [] },
  });
  const turn = Promise.withResolvers<void>();
  disk.slowChange = turn.promise;
  const { world, machine } = start(t, [disk], [userSpec('data', 'disk.serial == "MINE"')]);
  t.true(await machine.until(() => machine.status('u-data').progress === 'create a partition on /dev/sda'));
  world.disks[0] = new FakeDisk('sda', 8000, {
    facts: { sequence: 8n, serial: 'OTHER' },
    region: { kind: 'gpt', partitions: [] },
  });
  turn.resolve();
  t.true(await machine.until(() => machine.status('u-data').errorCode === 'ERR_BLOCK_NOT_FOUND'));
  world.tell();
  t.true(await machine.until(() => machine.status('u-data').phase === 'waiting'));
  t.false(world.changes.some((change) => change.startsWith('add ')));
});

test('a disk that hangs while it is changed is named, and delays no volume that may have another', async (t) => {
  const hanging = new FakeDisk('sda', 600);
  hanging.hangsWhenChanged = true;
  const either = `${on('sda')} || ${on('sdb')}`;
  const specs = [userSpec('a', on('sda')), userSpec('b', either)];
  const { world, machine } = start(t, [hanging, new FakeDisk('sdb', 8000)], specs);
  t.teardown(() => (hanging.hung = false)); // a process ends with its last step
  await reachesReady(t, machine, 'u-b');
  t.is(machine.status('u-b').parentLocation, '/dev/sdb');
  const why = '/dev/sda does not answer; create a partition on /dev/sda goes on when it does';
  t.true(await machine.until(() => machine.status('u-a').reason === why));
  hanging.hangsWhenChanged = false;
  hanging.hung = false;
  await reachesReady(t, machine, 'u-a');
  t.is(machine.status('u-a').reason, undefined);
  t.deepEqual(world.violations, []);
});

test('a disk that answers, and whose change takes long, is waited for: nobody goes elsewhere for that', async (t) => {
  const slow = new FakeDisk('sda', 4000);
  const change = Promise.withResolvers<void>();
  slow.slowChange = change.promise;
  const specs = [userSpec('a', on('sda')), userSpec('b', `${on('sda')} || ${on('sdb')}`)];
  const { world, machine } = start(t, [slow, new FakeDisk('sdb', 8000)], specs);
  t.teardown(() => change.resolve()); // a process ends with its last step
  const begun = machine.clock.now();
  await machine.until(() => machine.clock.now() - begun > 120_000);
  t.is(machine.status('u-b').location, undefined);
  slow.slowChange = undefined;
  change.resolve();
  await reachesReady(t, machine, 'u-a', 'u-b');
  t.is(machine.status('u-b').parentLocation, '/dev/sda');
  t.deepEqual(world.violations, []);
});

test('a volume whose disk was slow once still gets its space before one that takes all', async (t) => {
  const disk = new FakeDisk('sda', 8000);
  disk.hung = true;
  const { typeGuid, minSize } = userSpec('b', 'true').partition ?? t.fail();
  const rest = userSpec('b', 'true', { partition: { typeGuid, minSize, grow: true } });
  const { machine } = start(t, [disk], [userSpec('a', 'true'), rest]);
  t.true(await machine.until(() => machine.status('u-a').reason?.includes('does not answer') === true));
  disk.hung = false;
  await reachesReady(t, machine, 'u-a', 'u-b');
  t.is(machine.status('u-a').size, 1000n << 20n);
});

test('two disk volumes that match one disk do not share it', async (t) => {
  const { world, machine } = start(
    t,
    [new FakeDisk('sda', 8000)],
    [diskSpec('a', 'true'), diskSpec('b', 'true'), userSpec('c', 'true')],
  );
  const ids = ['u-a', 'u-b', 'u-c'];
  await machine.until(() => ids.some((id) => machine.status(id).phase === 'ready'));
  await machine.until(() => false, 3);
  const ready = ids.filter((id) => machine.status(id).phase === 'ready');
  t.is(ready.length, 1);
  t.is(world.mounted.length, 1);
  t.deepEqual(world.violations, []);
});

test('a second matching disk does not disturb a disk volume, not even after a restart', async (t) => {
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], [diskSpec('db', 'true')]);
  await reachesReady(t, machine, 'u-db');
  world.disks.push(new FakeDisk('sdb', 8000));
  world.tell();
  await machine.until(() => false, 2);
  t.is(machine.status('u-db').phase, 'ready');
  await machine.stop();
  world.cutPower();
  const next = new Machine(world, [diskSpec('db', 'true')]);
  await reachesReady(t, next, 'u-db');
  await next.stop();
  t.is(next.status('u-db').location, '/dev/sda');
});

test('a volume whose disk was pulled is missing; it is not made again on another disk', async (t) => {
  const specs = [userSpec('data', 'true')];
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], specs);
  await reachesReady(t, machine, 'u-data');
  await machine.stop();
  world.cutPower();
  const [pulled] = world.disks.splice(0, 1, new FakeDisk('sdb', 8000));
  const next = new Machine(world, specs);
  t.teardown(() => next.stop());
  await next.until(() => next.status('u-data').phase === 'missing');
  await next.until(() => false, 5);
  t.deepEqual(world.changes, []);
  t.regex(next.status('u-data').reason ?? '', /on disk wwid-sda, which is not here/);
  if (pulled !== undefined) world.disks.push(pulled);
  world.tell();
  await reachesReady(t, next, 'u-data');
  t.deepEqual(world.violations, []);
});

for (const [name, spec] of [
  ['in clear', userSpec('data', 'true')],
  ['that is encrypted', userSpec('data', 'true', { encryption: encryption() })],
] as const) {
  test(`a volume ${name} whose disk is pulled says so; it is given up with its document, and found again`, async (t) => {
    const specs = [spec];
    const { world, machine } = start(t, [new FakeDisk('sda', 8000)], specs);
    await reachesReady(t, machine, 'u-data');
    const [pulled] = world.disks.splice(0, 1);
    const reason = (): string => machine.status('u-data').reason ?? '';
    world.tell();
    t.true(await machine.until(() => reason().startsWith('/dev/sda1 is not here any more')));
    t.is(machine.status('u-data').phase, 'ready');
    if (pulled !== undefined) world.disks.push(pulled);
    world.tell();
    t.true(await machine.until(() => reason() === ''));

    world.disks.length = 0;
    world.tell();
    t.true(await machine.until(() => reason() !== ''));
    machine.manager.apply([]);
    t.true(await machine.until(() => machine.manager.statuses().length === 0));
    t.deepEqual([world.mounted.length, world.mappings.size], [0, 0]);
    const back = new FakeDisk('sdb', 8000, { region: pulled?.slot.region ?? { kind: 'zero' } });
    world.disks.push(back);
    machine.manager.apply(specs);
    world.tell();
    t.true(await machine.until(() => machine.status('u-data').phase === 'ready'));
  });
}

test('a wrong key is an error of its own that an operator ends', async (t) => {
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], [lockedBy('right')]);
  await reachesReady(t, machine, 'u-data');
  await machine.stop();
  world.cutPower();
  const next = new Machine(world, [lockedBy('wrong')]);
  t.teardown(() => next.stop());
  await next.until(() => next.status('u-data').phase === 'failed');
  t.like(next.status('u-data'), {
    failedPhase: 'located',
    errorCode: 'ERR_VOLUME_KEYS',
    errorMessage: 'no key opens /dev/sda1: static key of slot 0: its keyslot does not open with it',
    permanence: 'needs-operator',
  });
  t.like(next.status('u-data').encryptionFailedKeys, {
    0: { slot: 0, kind: 'static', code: 'ERR_KEYS_REJECTED', permanence: 'needs-operator' },
    length: 1,
  });
  t.true((next.status('u-data').nextRetryAt ?? 0) > next.clock.now());
  t.false(JSON.stringify(next.manager.mounts()).includes('wrong'));
  t.deepEqual(new Set(next.keysTried), new Set(['u-data static opened by none']));
  next.manager.apply([lockedBy('right')]);
  await reachesReady(t, next, 'u-data');
  t.regex(next.keysTried.at(-1) ?? '', /opened by static$/u);
  t.is(next.status('u-data').errorCode, undefined);
});

test('a later manager adopts mapping and mount as they are', async (t) => {
  const specs = [userSpec('data', 'true', { encryption: encryption() })];
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], specs);
  await reachesReady(t, machine, 'u-data');
  await machine.stop();
  const next = new Machine(world, specs);
  t.teardown(() => next.stop());
  await reachesReady(t, next, 'u-data');
  await next.until(() => next.manager.unsynchronised().length === 0);
  t.deepEqual(world.changes, []);
  t.is(next.status('u-data').encryptionSlot, 0);
});

test('a volume whose document is gone is unmounted and locked, its data stays, and it may come back', async (t) => {
  const data = userSpec('data', 'true', { encryption: encryption() });
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], [data]);
  await reachesReady(t, machine, 'u-data');
  machine.manager.apply([]);
  await machine.until(() => machine.manager.statuses().length === 0);
  t.deepEqual([world.mounted.length, world.mappings.size, world.intents.size], [0, 0, 0]);
  machine.manager.apply([data]);
  await reachesReady(t, machine, 'u-data');
  t.deepEqual(world.violations, []);
});

test('mount flags change on a live mount; what can not is told', async (t) => {
  const data = userSpec('data', 'true');
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], [data]);
  await reachesReady(t, machine, 'u-data');
  const flags = { ...data.mount.flags, noexec: false };
  machine.manager.apply([{ ...data, mount: { ...data.mount, flags } }]);
  await machine.until(() => !(world.mounted[0]?.options ?? []).includes('noexec'));
  t.deepEqual(world.mounted[0]?.options, ['rw', 'nosuid', 'nodev']);
  machine.manager.apply([{ ...data, filesystem: { ...data.filesystem, type: 'ext4' } }]);
  await machine.until(() => machine.status('u-data').reason !== undefined);
  t.like(machine.status('u-data'), { phase: 'ready', reason: 'needs a reboot: filesystem changed' });
});

test('STATE takes its space before EPHEMERAL takes the rest, and a child mounts on its parent', async (t) => {
  const { world, machine } = start(
    t,
    [new FakeDisk('vda', 10_000), new FakeDisk('sda', 8000)],
    [onEphemeral(userSpec('data', '!system_disk')), ...systemSpecs().toReversed()],
  );
  await reachesReady(t, machine, 'STATE', 'EPHEMERAL', 'u-data');
  t.deepEqual(
    world.partitions().map((partition) => partition.label),
    ['STATE', 'EPHEMERAL', 'u-data'],
  );
  const targets = world.mounted.map((mount) => mount.target);
  t.true(targets.indexOf('/var') < targets.indexOf('/var/mnt/data'));
  await machine.manager.close();
  t.deepEqual([world.mounted.length, world.mappings.size], [0, 0]);
});

test('two partitions with one label are an error that lists both', async (t) => {
  const { world, machine } = start(t, [new FakeDisk('sda', 8000)], [userSpec('data', 'true')]);
  await reachesReady(t, machine, 'u-data');
  await machine.stop();
  world.cutPower();
  world.intents.clear();
  const [sda] = world.disks;
  world.disks.push(new FakeDisk('sdb', 8000, sda === undefined ? {} : { region: cloneOf(sda) }));
  const next = new Machine(world, [userSpec('data', 'true')]);
  t.teardown(() => next.stop());
  await next.until(() => next.status('u-data').phase === 'failed');
  t.like(next.status('u-data'), {
    errorCode: 'ERR_VOLUME_AMBIGUOUS',
    errorMessage: 'u-data is on 2 partitions: /dev/sda1, /dev/sdb1',
  });
});

test('every change of a volume is seen by a watcher, the end included', async (t) => {
  const { machine } = start(t, [new FakeDisk('sda', 8000)], [userSpec('data', 'true')]);
  const phases: string[] = [];
  const watching = (async () => {
    for await (const batch of machine.manager.changes()) phases.push(...batch.map((status) => status.phase));
  })();
  await reachesReady(t, machine, 'u-data');
  machine.manager.apply([]);
  await machine.until(() => machine.manager.statuses().length === 0);
  await machine.stop();
  await watching;
  t.is(phases[0], 'waiting');
  t.true(phases.includes('ready'));
  t.is(phases.at(-1), 'closed');
});

function lockedBy(text: string): VolumeSpec {
  return userSpec('data', 'true', { encryption: encryption(passphrase(0, text)) });
}

function cloneOf({ slot }: FakeDisk): FakeDisk['slot']['region'] {
  if (slot.region.kind !== 'gpt') return slot.region;
  const partitions = slot.region.partitions.map(({ facts, slot }) => ({
    facts: { ...facts, partitionGuid: `${facts.partitionGuid}-b`, devPath: '/dev/sdb1' },
    slot: { region: slot.region },
  }));
  return { kind: 'gpt', partitions };
}
