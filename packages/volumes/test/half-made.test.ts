import type { Inventory } from '@nodecore/block';
import test, { type ExecutionContext } from 'ava';

import type { IntentRecord, VolumeSpec } from '../src/index.ts';
import { identityOf } from '../src/intent.ts';
import { locateExisting } from '../src/locate.ts';
import { compileVolumeSelector } from '@nodecore/block/selector';
import { FakeDisk } from './fake-disk.ts';
import type { FakeFilesystem } from './fake-region.ts';
import { FakeWorld } from './fake-world.ts';
import { existingSpec, rawSpec } from './kind-specs.ts';
import { Machine } from './machine.ts';
import { diskSpec } from './specs.ts';

const volume = diskSpec('data', 'true');

function withData(label: string, type = 'xfs'): FakeFilesystem {
  return { kind: 'filesystem', type, label, uuid: `uuid-of-${label}`, torn: false, files: new Set(['file']) };
}

/** A disk was claimed for the volume, and the run ended. */
function begunOn(disk: FakeDisk): IntentRecord {
  return { volumeId: volume.id, type: 'disk', disk: identityOf(disk.facts), phase: 'constructing' };
}

function start(
  t: ExecutionContext,
  disks: FakeDisk[],
  specs: readonly VolumeSpec[],
  record?: IntentRecord,
): { readonly world: FakeWorld; readonly machine: Machine } {
  const world = new FakeWorld(disks);
  if (record !== undefined) world.intents.set(record.volumeId, record);
  const machine = new Machine(world, specs);
  t.teardown(() => machine.stop());
  return { world, machine };
}

test('a volume on one disk is adopted, although another disk was begun for it and never finished', async (t) => {
  const gone = new FakeDisk('sda', 4000);
  const other = new FakeDisk('sdb', 8000, { region: withData('u-data') });
  const { world, machine } = start(t, [other], [volume], begunOn(gone));
  t.true(await machine.until(() => machine.isReady));
  t.deepEqual(world.violations, []);
  t.like(other.slot.region, { kind: 'filesystem', uuid: 'uuid-of-u-data' });
  t.true(await machine.until(() => world.intents.get('u-data')?.phase === 'done'));
  t.is(world.intents.get('u-data')?.disk.devPath, '/dev/sdb');
});

test('a disk that was begun and put to another use keeps its data when the document goes', async (t) => {
  const disk = new FakeDisk('sda', 4000, { region: withData('photos', 'ext4') });
  const { world, machine } = start(t, [disk], [volume], begunOn(disk));
  t.true(await machine.until(() => machine.status('u-data').errorCode !== undefined));
  t.is(machine.status('u-data').errorCode, 'ERR_VOLUME_CONTENT');
  machine.manager.apply([]);
  t.true(await machine.until(() => machine.manager.statuses().length === 0));
  t.deepEqual(world.violations, []);
  t.like(disk.slot.region, { kind: 'filesystem', label: 'photos' });
  t.is(world.intents.size, 0);
});

test('a kernel name that another disk has by now is not wiped when the document goes', async (t) => {
  const disk = new FakeDisk('sda', 4000, { region: { kind: 'noise' } });
  disk.hung = true;
  const { world, machine } = start(t, [disk], [volume], begunOn(disk));
  await machine.until(() => machine.status('u-data').phase !== 'waiting');
  const other = new FakeDisk('sda', 4000, {
    region: withData('photos', 'ext4'),
    facts: { wwid: 'wwid-other', serial: 'other' },
  });
  world.disks.splice(0, 1, other);
  world.tell();
  machine.manager.apply([]);
  t.true(await machine.until(() => machine.manager.statuses().length === 0));
  t.deepEqual(world.violations, []);
  t.like(other.slot.region, { kind: 'filesystem', label: 'photos' });
  t.is(
    world.intents.get('u-data')?.phase,
    'constructing',
    'the disk that was begun is not here to be blanked',
  );
});

test('a selector that is corrected is followed, whatever the first one led to', async (t) => {
  const locked = new FakeDisk('sda', 4000, { region: { kind: 'foreign', type: 'luks' } });
  const right = new FakeDisk('sdb', 4000, { region: withData('photos') });
  const { world, machine } = start(
    t,
    [locked, right],
    [existingSpec('old', 'volume.dev_path == "/dev/sda"')],
  );
  t.true(await machine.until(() => machine.status('e-old').phase === 'failed'));
  machine.manager.apply([existingSpec('old', 'volume.dev_path == "/dev/sdb"')]);
  t.true(await machine.until(() => machine.isReady));
  t.is(machine.status('e-old').location, '/dev/sdb');
  t.deepEqual(world.violations, []);
});

test('the opened mapping of a volume of this node is no existing volume', (t) => {
  const disk = new FakeDisk('sda', 4000);
  const mapping = new FakeDisk('dm-0', 3900, { region: withData('u-data') });
  const other = new FakeDisk('dm-1', 3900, { region: withData('else') });
  const held = disk.volumes().map((one) => ({ ...one, name: 'luks', label: 'u-data', holders: ['dm-0'] }));
  const inventory: Inventory = {
    disks: [disk.facts, mapping.facts, other.facts],
    volumes: [...held, ...mapping.volumes(), ...other.volumes()],
  };
  const scope = { inventory, systemDisk: undefined, isVolume: (label: string) => label === 'u-data' };
  const found = locateExisting(compileVolumeSelector('volume.name == "xfs"'), scope);
  t.deepEqual(
    found.map(({ devPath }) => devPath),
    ['/dev/dm-1'],
  );
});

test('a raw volume in use is never held to be proven empty: its user may want it alone', async (t) => {
  const { world, machine } = start(t, [new FakeDisk('sda', 4000)], [rawSpec('osd', 'true')]);
  t.true(await machine.until(() => machine.isReady));
  await machine.until(() => world.intents.get('r-osd')?.phase === 'done');
  world.proofs.length = 0;
  world.tell();
  await machine.until(() => false, 3);
  t.deepEqual(world.proofs, []);
});
