import type { Inventory } from '@nodecore/block';
import test, { type ExecutionContext } from 'ava';

import type { IntentRecord, VolumeSpec } from '../src/index.ts';
import { identityOf } from '../src/intents/intent.ts';
import { locateExisting } from '../src/observe/locate.ts';
import { compileVolumeSelector } from '@nodecore/selector';
import { FakeDisk } from './fake-disk.ts';
import { placePartition } from './fake-facts.ts';
import { slot, type FakeFilesystem, type Region } from './fake-region.ts';
import { FakeWorld } from './fake-world.ts';
import { existingSpec, rawSpec } from './kind-specs.ts';
import { Machine } from './machine.ts';
import { diskSpec, encryption, kms, userSpec } from './specs.ts';

const volume = diskSpec('data', 'true');

function withData(label: string, type = 'xfs'): FakeFilesystem {
  return { kind: 'filesystem', type, label, uuid: `uuid-of-${label}`, torn: false, files: new Set(['file']) };
}

/** A disk was claimed for the volume, and the run ended. */
function begunOn(disk: FakeDisk): IntentRecord {
  const nonce = 'a'.repeat(32);
  return { volumeId: volume.id, type: 'disk', disk: identityOf(disk.facts), phase: 'constructing', nonce };
}

/** Nothing tells these apart but their contents. */
const nameless = { wwid: '', serial: '', busPath: '/virtual' } as const;

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

const proof = {
  at: 1,
  tookMs: 2,
  limitMs: 1000,
  size: 4000,
  read: [],
  probedAt: [0],
  backupsOf: [],
  map: 'read',
} as const;

test('the proof that a disk was empty is shown of that disk only', async (t) => {
  const gone = new FakeDisk('sda', 4000);
  const other = new FakeDisk('sdb', 8000, { region: withData('u-data') });
  const { world, machine } = start(t, [other], [volume], { ...begunOn(gone), proof });
  t.true(await machine.until(() => world.intents.get('u-data')?.phase === 'done'));
  t.is(world.intents.get('u-data')?.proof, undefined);
  t.is(machine.status('u-data').proof, undefined);

  const same = new FakeDisk('sda', 4000, { region: withData('u-data') });
  const kept = start(t, [same], [volume], { ...begunOn(same), phase: 'done', proof });
  t.true(await kept.machine.until(() => kept.machine.isReady));
  t.deepEqual(kept.machine.status('u-data').proof, proof);
});

for (const phase of ['constructing', 'done'] as const) {
  for (const [partitionGuid, known] of [
    ['e0000000-0000-4000-8000-000000000002', undefined],
    ['f0000000-0000-4000-8000-000000000001', proof],
  ] as const) {
    const whose = known === undefined ? 'another partition is not shown' : 'this partition is shown';
    test(`the proof in a record (${phase}) of ${whose}`, async (t) => {
      const disk = labelledTable({ kind: 'zero' });
      const identity = identityOf(disk.facts);
      const record = { volumeId: 'u-part', type: 'partition', disk: identity, partitionGuid } as const;
      const { world, machine } = start(t, [disk], [userSpec('part', 'true')], { ...record, phase, proof });
      t.true(await machine.until(() => machine.status('u-part').phase !== 'waiting'));
      await machine.until(() => machine.isReady || machine.status('u-part').phase === 'failed');
      t.deepEqual(machine.status('u-part').proof, known);
      if (phase === 'constructing') t.deepEqual(world.intents.get('u-part')?.proof, known);
    });
  }
}

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

for (const [what, facts] of [
  ['without a serial', nameless],
  ['of virtio without a serial', { wwid: '', serial: '', busPath: '/pci0000:00/virtio2' }],
  ['behind a bridge that gives all the same serial', { wwid: '', serial: 'DD5641988396D', model: 'bridge' }],
] as const) {
  for (const [content, region] of [
    ['bytes that nobody knows', { kind: 'noise' }],
    ['a filesystem with the label of the volume', withData('u-data')],
  ] as const) {
    test(`a disk ${what} with ${content} that came in place of the half-made one is left alone`, async (t) => {
      const theirs = new FakeDisk('sda', 4000, { region, facts });
      const { world, machine } = start(t, [theirs], [volume], begunOn(new FakeDisk('sda', 4000, { facts })));
      t.true(await machine.until(() => machine.status('u-data').phase === 'failed'));
      t.is(machine.status('u-data').errorCode, 'ERR_VOLUME_CONTENT');
      t.regex(
        machine.status('u-data').errorMessage ?? '',
        /does not carry its mark.*osctl wipe volume u-data/,
      );
      t.is(theirs.slot.region, region);
      machine.manager.apply([]);
      t.true(await machine.until(() => machine.manager.statuses().length === 0));
      t.is(theirs.slot.region, region, 'nor is it blanked when the document goes');
      t.false(world.changes.some((change) => change.startsWith('wipe')));
    });
  }

  test(`a disk ${what} with the mark of the attempt is made from the beginning, whatever is torn on it`, async (t) => {
    const disk = new FakeDisk('sda', 4000, { region: { kind: 'noise' }, facts });
    const record = begunOn(disk);
    disk.slot.mark = { volumeId: 'u-data', nonce: record.nonce ?? '' };
    const { world, machine } = start(t, [disk], [volume], record);
    t.true(await machine.until(() => machine.isReady));
    t.deepEqual(world.violations, []);
    t.is(world.disks[0]?.slot.mark, undefined);
  });

  test(`a disk ${what} with the mark of another attempt is left alone`, async (t) => {
    const disk = new FakeDisk('sda', 4000, { region: { kind: 'noise' }, facts });
    disk.slot.mark = { volumeId: 'u-data', nonce: 'b'.repeat(32) };
    const { machine } = start(t, [disk], [volume], begunOn(disk));
    t.true(await machine.until(() => machine.status('u-data').phase === 'failed'));
    t.like(disk.slot.region, { kind: 'noise' });
  });

  test(`a blank disk ${what} that a record of earlier days names is made; one with anything on it is left alone`, async (t) => {
    for (const region of [{ kind: 'zero' }, { kind: 'noise' }] as const) {
      const disk = new FakeDisk('sda', 4000, { region, facts });
      const { nonce: _, ...record } = begunOn(disk);
      const { machine } = start(t, [disk], [volume], record);
      const phase = region.kind === 'zero' ? 'ready' : 'failed';
      t.true(await machine.until(() => machine.status('u-data').phase === phase), region.kind);
    }
  });
}

/** What a disk has whose only entry carries the volume's label, and says that it is being made. */
function labelledTable(region: Region): FakeDisk {
  const disk = new FakeDisk('sda', 4000, { region: { kind: 'gpt', partitions: [] } });
  const facts = placePartition(disk, {
    label: 'u-part',
    typeGuid: '',
    partitionGuid: 'f0000000-0000-4000-8000-000000000001',
    sizeBytes: 'rest',
    underConstruction: true,
    mark: { volumeId: 'u-part', nonce: '' },
  });
  if (disk.slot.region.kind === 'gpt') disk.slot.region.partitions.push({ facts, slot: slot(region) });
  return disk;
}

for (const [what, region] of [
  ['a filesystem of somebody else', withData('theirs', 'ext4')],
  ['a filesystem with the label of the volume', withData('u-part')],
  ['bytes that nobody knows', { kind: 'noise' }],
] as const) {
  test(`a partition that says it is being made and holds ${what} is left alone`, async (t) => {
    const disk = labelledTable(region);
    const { world, machine } = start(t, [disk], [userSpec('part', 'true')]);
    t.true(await machine.until(() => machine.status('u-part').phase === 'failed'));
    t.is(machine.status('u-part').errorCode, 'ERR_VOLUME_CONTENT');
    t.is(world.slot('/dev/sda1')?.region, region);
    t.deepEqual(world.changes, []);
  });
}

test('a disk on which something turns up after it was wiped gets no header', async (t) => {
  const disk = new FakeDisk('sda', 4000);
  const theirs = withData('theirs', 'ext4');
  const { world, machine } = start(t, [disk], []);
  const change = world.change.bind(world);
  world.change = (name, whole, torn) => {
    change(name, whole, torn);
    if (name === 'mark /dev/sda') disk.slot.region = theirs;
  };
  machine.manager.apply([diskSpec('data', 'true', { encryption: encryption() })]);
  t.true(await machine.until(() => machine.status('u-data').phase === 'failed'));
  t.is(machine.status('u-data').errorCode, 'ERR_VOLUME_NOT_EMPTY');
  t.is(disk.slot.region, theirs);
});

test('what was begun to be encrypted is not made in clear by who only looks for it, and is made with its keys later', async (t) => {
  const disk = new FakeDisk('sda', 4000);
  const { world, machine } = start(t, [disk], []);
  const clear = userSpec('part', 'true', { recorded: false });
  const locked = { ...clear, encryption: encryption(kms(0)) };
  world.keyServer.isDown = true;
  machine.manager.apply([locked]);
  t.true(await machine.until(() => machine.status('u-part').errorCode === 'ERR_VOLUME_KEYS_AWAITED'));

  const before = world.changes.length;
  machine.manager.apply([{ ...clear, provision: false }]);
  t.true(await machine.until(() => machine.status('u-part').phase === 'missing'));
  t.is(machine.status('u-part').reason, '/dev/sda1 was begun and is not complete');
  await machine.until(() => false, 3);
  t.deepEqual(world.changes.slice(before), []);

  world.keyServer.isDown = false;
  machine.manager.apply([locked]);
  t.true(await machine.until(() => machine.isReady));
  t.is(machine.status('u-part').encryptionProvider, 'luks2');
  t.is(world.slot('/dev/sda1')?.region.kind, 'luks');
  t.deepEqual(world.violations, []);
});

test('a blank partition that says it is being made is made', async (t) => {
  const { machine } = start(t, [labelledTable({ kind: 'zero' })], [userSpec('part', 'true')]);
  t.true(await machine.until(() => machine.isReady));
});

test('what the free space of a table held before does not keep a partition from being made', async (t) => {
  const { world, machine } = start(t, [new FakeDisk('sda', 4000)], []);
  world.oldData = { kind: 'noise' };
  machine.manager.apply([userSpec('part', 'true')]);
  t.true(await machine.until(() => machine.isReady));
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
