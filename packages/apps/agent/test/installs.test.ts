import { parse } from '@nodecore/config';
import type { Disk } from '@nodecore/block';
import { controllerItems } from '@nodecore/runtime';
import { compileDiskSelector } from '@nodecore/selector';
import { fieldsOf, Store } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { Latest } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { ApplyError } from '../src/configuration/errors.ts';
import { chooseDisk, findDisk } from '../src/installs/choose-disk.ts';
import { unattendedInstallStatuses } from '../src/installs/definitions.ts';
import { installerOf } from '../src/installs/image-reference.ts';
import type { InstallOrder } from '../src/installs/install.ts';
import { Installs } from '../src/installs/installs.ts';
import { InstallRequests } from '../src/installs/requests.ts';
import { Unattended } from '../src/installs/unattended.ts';
import { unattendedController } from '../src/installs/unattended-controller.ts';
import type { UnattendedStatus } from '../src/installs/unattended-status.ts';
import { Lifecycle } from '../src/lifecycle/lifecycle.ts';
import { kindOf } from '../src/resources/definitions.ts';
import type { UpgradeEvent } from '../src/upgrades/upgrade-event.ts';
import { runControllers, until } from './controllers.ts';
import { authority, rootDocument } from './documents.ts';
import { disk, inventory, partition } from './inventory.ts';

const log = pino({ level: 'silent' });
const root = rootDocument(await authority());
const image = 'factory.example/metal-installer/cafe:v1.14.0';

function document({ match = 'disk.size > 1u', more = '', installer = image } = {}): string {
  const from = installer === '' ? '' : `installer: {image: "${installer}"}\n`;
  return `${root}---\napiVersion: v1alpha1\nkind: UnattendedInstallConfig\n${from}provisioning:\n  diskSelector: {match: '${match}'}\n${more}`;
}

const scene = (disks: readonly Disk[]) => ({ inventory: inventory(disks, []), bootedFrom: undefined });

test('a selector that matches several disks is refused with their names, and what no system can be on does not match', (t) => {
  const any = compileDiskSelector('disk.size > 1u');
  const [one, two] = [disk('vda'), disk('vdb', { transport: 'nvme' })];
  const unfit = [
    disk('sr0', { cdrom: true }),
    disk('sdr', { readonly: true }),
    disk('sdx', { unresponsive: true }),
    disk('md0', { array: { level: 'raid1' } as never }),
  ];
  t.is(chooseDisk(any, scene(unfit)), undefined);
  t.is(chooseDisk(any, scene([one, ...unfit]))?.id, 'vda');
  t.is(chooseDisk(compileDiskSelector('disk.transport == "nvme"'), scene([one, two]))?.id, 'vdb');
  const several = t.throws(() => chooseDisk(any, scene([two, one])));
  t.deepEqual(
    [codeOf(several), several?.message],
    [
      'ERR_INSTALL_AMBIGUOUS',
      'the disk selector matches vda (serial-vda), vdb (serial-vdb): it must match one disk',
    ],
  );
  const held = inventory([one], [partition('vda', 1, { holders: ['dm-0'] })]);
  t.is(chooseDisk(any, { inventory: held, bootedFrom: undefined }), undefined);
  const medium = inventory([one, two], [partition('vda', 1, { partitionUuid: 'AAAA' })]);
  t.is(
    chooseDisk(any, { inventory: medium, bootedFrom: 'aaaa' })?.id,
    'vdb',
    'the boot medium is not written to',
  );
});

test('a disk is named by its device or by a link, and not by a partition', (t) => {
  const known = {
    inventory: inventory(
      [disk('vda', { symlinks: ['/dev/disk/by-id/virtio-A'] }), disk('vdb', { readonly: true })],
      [partition('vda', 1)],
    ),
    bootedFrom: undefined,
  };
  for (const path of ['/dev/vda', 'vda', '/dev/disk/by-id/virtio-A']) t.is(findDisk(path, known).id, 'vda');
  t.throws(() => findDisk('/dev/vda1', known), { message: '/dev/vda1 is a partition: name its disk' });
  t.throws(() => findDisk('/dev/vdb', known), { message: '/dev/vdb is read-only' });
  t.throws(() => findDisk('/dev/vdc', known), { message: 'there is no disk /dev/vdc' });
});

test('what has booted says which image is installed, or nothing is', (t) => {
  const metadata = { name: 'schematic', version: 'cafe', source: 'https://factory.example:8081/' };
  const booted = { extensions: [{ image: '', metadata }], version: 'v1.14.0', secureBoot: false };
  t.is(installerOf(booted), 'factory.example:8081/metal-installer/cafe:v1.14.0');
  t.is(
    installerOf({ ...booted, secureBoot: true }),
    'factory.example:8081/metal-installer-secureboot/cafe:v1.14.0',
  );
  const lacking = [
    { ...booted, extensions: [] },
    { ...booted, version: undefined },
    { ...booted, extensions: [{ image: '', metadata: { ...metadata, source: 'here' } }] },
  ];
  for (const one of lacking)
    t.is(codeOf(t.throws(() => installerOf(one))), 'ERR_INSTALL_SOURCE', JSON.stringify(one));
});

test('a machine is installed once, and not beside an upgrade', async (t) => {
  const lifecycle = new Lifecycle({
    clock: new FakeClock(),
    log,
    init: undefined,
    quiesce: async () => {},
    end: () => {},
  });
  const systemDisks: string[] = [];
  const [ran, told] = [[] as string[], [] as unknown[]];
  const installs = new Installs({
    lifecycle,
    tellRelease: (spec) => told.push(spec),
    systemDisk: () => systemDisks[0],
    surroundings: async () => ({}) as never,
    run: async (_parts, { disk: path, dryRun }) => {
      ran.push(path, String(lifecycle.sequence));
      t.is(installs.hasBegun, !dryRun, 'before a byte is written');
    },
  });
  const order = { image, expectedDigest: '', disk: '/dev/vda', wipe: false, dryRun: false, force: false };
  const code = async (): Promise<unknown> => codeOf(await t.throwsAsync(installs.install(order, () => {})));
  await lifecycle.alone('upgrade', async () => {
    const error = await t.throwsAsync(installs.install(order, () => {}));
    t.is(error?.message, 'another installation/upgrade is already in progress');
  });
  systemDisks.push('vda');
  t.is(await code(), 'ERR_INSTALL_INSTALLED');
  systemDisks.pop();
  await installs.install({ ...order, dryRun: true }, () => {});
  t.false(installs.hasBegun);
  await installs.install(order, () => {});
  t.is(await code(), 'ERR_INSTALL_INSTALLED', 'also before discovery has seen it');
  t.deepEqual(ran, ['/dev/vda', 'install', '/dev/vda', 'install']);
  t.deepEqual(told, [], 'what said nothing is not shown');
});

/** A machine without a system disk, whose first configuration asks for an installation. */
function machine(t: ExecutionContext, disks: readonly Disk[] = [disk('vda')]) {
  const [store, deeds, orders] = [new Store(), [] as string[], [] as InstallOrder[]];
  const requests = new InstallRequests();
  const status = new Latest<UnattendedStatus | undefined>();
  const [inventories, known] = [new Latest<ReturnType<typeof inventory>>(), { disks, settled: true }];
  const state = {
    hasSystem: false,
    problem: undefined as Error | undefined,
    persist: async () => {},
    held: undefined as Error | undefined,
  };
  inventories.set(inventory(disks, []));
  const unattended = new Unattended({
    log,
    requests,
    status,
    scene: async () => (known.settled ? scene(known.disks) : undefined),
    image: async () => 'derived/image:v1.14.0',
    hasSystem: () => state.hasSystem,
    installs: {
      install: async (order: InstallOrder, tell: (event: UpgradeEvent) => void) => {
        orders.push(order);
        tell({ phase: 'pull', message: 'pulls', doneBytes: 1, totalBytes: 2 });
        if (state.problem !== undefined) throw state.problem;
        tell({ phase: 'switch', message: 'installed', version: 'v1.14.0' });
        state.hasSystem = true;
      },
    },
    persist: async (text) => {
      await state.persist();
      deeds.push(text === root ? 'other text' : 'persisted', String(status.value?.phase));
    },
    reboot: () => {
      if (state.held !== undefined) throw state.held;
      deeds.push('reboot');
    },
  });
  const { clock } = runControllers(
    t,
    store,
    unattendedController({ unattended, requests, inventory: inventories, status }),
  );
  const phase = async (wanted: string): Promise<unknown> => {
    const found = await until(store, kindOf(unattendedInstallStatuses), ([one]) => {
      return (one?.spec as { readonly phase?: string } | undefined)?.phase === wanted;
    });
    return found[0]?.spec;
  };
  const take = (text: string): string | undefined => {
    using configuration = parse(text);
    return requests.take(configuration, text);
  };
  return { store, requests, take, phase, deeds, orders, state, known, inventories, clock, status };
}

test('a configuration that asks for it has the machine installed, is persisted then, and the machine reboots', async (t) => {
  const { take, phase, deeds, orders, requests } = machine(t);
  t.is(take(root), undefined, 'one that does not ask is none of ours');
  t.regex(String(take(document())), /installs itself first/u);
  t.like(await phase('waitingForReboot'), { disk: '/dev/vda', version: 'v1.14.0' });
  while (deeds.length < 3) await new Promise(setImmediate);
  t.deepEqual(deeds, ['persisted', 'waitingForReboot', 'reboot']);
  t.like(orders, [{ image, disk: '/dev/vda', wipe: false, force: false, dryRun: false }]);
  t.is(requests.value, undefined, 'its text is not kept');
});

test('a reboot that another sequence of the machine holds up comes when that is over', async (t) => {
  const { take, phase, deeds, state, store, clock } = machine(t);
  state.held = new Error('upgrade is in progress');
  take(document());
  await phase('waitingForReboot');
  const reason = 'the reboot into the new system: upgrade is in progress';
  await until(store, controllerItems, ([one]) => fieldsOf(one?.spec ?? null)['reason'] === reason);
  t.deepEqual(deeds, ['persisted', 'waitingForReboot']);
  state.held = undefined;
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.advance(5000);
  while (deeds.length < 3) await new Promise(setImmediate);
  t.is(deeds[2], 'reboot');
});

test('without an image it is that of what has booted, and the machine goes on', async (t) => {
  const { take, phase, orders, deeds } = machine(t);
  take(document({ installer: '', more: '  wipe: true\n' }));
  await phase('installed');
  while (deeds.length < 2) await new Promise(setImmediate);
  t.like(orders, [{ image: 'derived/image:v1.14.0', wipe: true }]);
  t.deepEqual(deeds, ['persisted', 'installed']);
});

test('an installation waits for its disk, names several, and is done once in a boot', async (t) => {
  const { take, phase, known, inventories, orders, deeds, state } = machine(t, []);
  take(document({ more: 'reboot: false\n' }));
  t.like(await phase('pending'), { message: 'no disk matches disk.size > 1u' });
  known.disks = [disk('vda'), disk('vdb')];
  inventories.set(inventory(known.disks, []));
  t.like(await phase('failed'), {
    message: 'the disk selector matches vda (serial-vda), vdb (serial-vdb): it must match one disk',
  });
  t.is(orders.length, 0);
  known.disks = [disk('vdb')];
  inventories.set(inventory(known.disks, []));
  await phase('installed');
  while (deeds.length < 2) await new Promise(setImmediate);
  state.hasSystem = false; // as if the disk were pulled
  take(document({ match: 'disk.size > 2u', more: 'reboot: false\n' }));
  await new Promise(setImmediate);
  t.is(orders.length, 1);
});

test('disks that are still to be looked at may be the system disk, and nothing is chosen before', async (t) => {
  const { take, phase, known, orders, inventories } = machine(t);
  known.settled = false;
  take(document());
  t.like(await phase('pending'), { message: 'the disks are still being looked at' });
  t.is(orders.length, 0);
  known.settled = true;
  inventories.set(inventory(known.disks, []));
  await phase('waitingForReboot');
});

test('an installation that fails says why and is tried again; meanwhile a corrected configuration takes its place', async (t) => {
  const { take, phase, state, orders, clock } = machine(t);
  state.problem = new Error('the registry does not answer');
  take(document());
  t.like(await phase('failed'), { disk: '/dev/vda', message: 'the registry does not answer' });
  while (clock.sleepers === 0) await new Promise(setImmediate); // it waits for its next try
  state.problem = undefined;
  take(document({ installer: 'other.example/metal-installer/cafe:v1.14.0' }));
  await phase('waitingForReboot');
  t.deepEqual(
    [...new Set(orders.map((order) => order.image))],
    [image, 'other.example/metal-installer/cafe:v1.14.0'],
  );
});

test('while a machine is installed nobody brings another configuration, and one on STATE wins', async (t) => {
  const { take, state, phase, deeds, requests } = machine(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.persist = () => promise;
  take(document());
  await phase('waitingForReboot');
  t.is(codeOf(t.throws(() => take(document()))), 'ERR_APPLY_IN_PROGRESS');
  state.persist = () => Promise.reject(new ApplyError('ERR_APPLY_CONFIGURED', 'STATE holds a configuration'));
  resolve();
  while (deeds.length < 3) await new Promise(setImmediate);
  const late = machine(t);
  late.state.hasSystem = true;
  late.state.persist = state.persist;
  late.take(document());
  while (late.requests.value !== undefined) await new Promise(setImmediate);
  t.deepEqual(
    [late.deeds, late.orders],
    [[], []],
    'a system disk that was slow to appear is no place to install',
  );
  t.is(requests.value, undefined);
});
