import { LuksError } from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import test, { type ExecutionContext } from 'ava';

import { permanenceOf } from '../../src/errors.ts';
import { VolumeError, type VolumeSpec } from '../../src/index.ts';
import { FakeDisk } from '../fake-disk.ts';
import { noise, type FakeLuks } from '../fake-region.ts';
import { FakeWorld } from '../fake-world.ts';
import { Machine } from '../machine.ts';
import { encryption, kms, nodeId, passphrase, userSpec } from '../specs.ts';

type Keys = Parameters<typeof encryption>;

function locked(keys: Keys, previousKeys?: Keys): VolumeSpec {
  return userSpec('data', 'true', {
    encryption: encryption(...keys),
    ...(previousKeys === undefined ? {} : { previousKeys }),
  });
}

function boot(t: ExecutionContext, world: FakeWorld, ...specs: readonly VolumeSpec[]): Machine {
  const machine = new Machine(world, specs);
  t.teardown(() => machine.stop());
  return machine;
}

/** Until the volume is mounted and its keys are as configured. */
async function settled(t: ExecutionContext, machine: Machine): Promise<void> {
  const done = await machine.until(() => machine.isReady && machine.manager.unsynchronised().length === 0);
  t.true(
    done,
    JSON.stringify(machine.manager.statuses(), (_, value) => String(value)),
  );
}

async function made(t: ExecutionContext, ...keys: Keys): Promise<FakeWorld> {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  const machine = new Machine(world, [locked(keys)]);
  await settled(t, machine);
  await machine.stop();
  return world;
}

function header(world: FakeWorld): FakeLuks {
  const region = world.slot('/dev/sda1')?.region;
  if (region?.kind !== 'luks') throw new Error('no header');
  return region;
}

function slots(world: FakeWorld): readonly number[] {
  return [...header(world).keys.keys()].sort((a, b) => a - b);
}

const hex = (text: string): string => Buffer.from(text).toString('hex');

test('a header is made with every key and its token', async (t) => {
  const world = await made(t, passphrase(0, 'right'), nodeId(1), kms(2));
  t.deepEqual(slots(world), [0, 1, 2]);
  const tokens = [...header(world).tokens.values()].map(({ type, keyslots }) => `${type} ${keyslots.join()}`);
  t.deepEqual(tokens.toSorted(), ['nodecore-keys ', 'nodecore-kms 2']);
});

test('a configured key whose slot is free is stored with the one that opened', async (t) => {
  const world = await made(t, passphrase(0, 'first'));
  world.cutPower();
  await settled(t, boot(t, world, locked([passphrase(0, 'first'), passphrase(3, 'second')])));
  t.deepEqual(slots(world), [0, 3]);
});

test('keys of a new configuration replace those of a volume in use, which stays open', async (t) => {
  const world = await made(t, passphrase(0, 'old'), kms(1));
  const machine = boot(t, world, locked([passphrase(0, 'old'), kms(1)]));
  await settled(t, machine);
  machine.manager.apply([locked([passphrase(0, 'new'), nodeId(2)], [passphrase(0, 'old'), kms(1)])]);
  t.deepEqual(machine.manager.unsynchronised(), ['u-data']);
  await settled(t, machine);
  t.is(header(world).keys.get(0), hex('new'));
  t.deepEqual(slots(world), [0, 2]);
  t.false(world.changes.some((change) => /^(?:close|open|unmount|mount)/.test(change)));
  t.like(machine.status('u-data'), {
    phase: 'ready',
    configuredEncryptionKeys: ['nodeID', 'static'],
    encryptionFailedSyncs: [],
    encryptionKeyslots: [0, 2].map((slot) => ({
      slot,
      type: 'argon2id',
      iterations: 4,
      memoryKib: 32,
      parallel: 1,
    })),
  });
  t.is(machine.status('u-data').reason, undefined);
});

test('keys that nobody vouches for open a volume, and get into no keyslot of it before somebody does', async (t) => {
  const world = await made(t, nodeId(0));
  world.cutPower();
  const keys: Keys = [nodeId(0), kms(1)];
  const before = JSON.stringify([...header(world).keys]);
  const machine = boot(t, world, { ...locked(keys), keepKeyslots: true });
  t.true(await machine.until(() => machine.isReady));
  await machine.until(() => false, 3);
  t.is(JSON.stringify([...header(world).keys]), before);
  t.deepEqual(world.keyServer.asked, []);
  t.deepEqual(machine.manager.unsynchronised(), ['u-data']);
  machine.manager.apply([locked(keys)]);
  await settled(t, machine);
  t.deepEqual(slots(world), [0, 1]);
});

test('the same keys in a new configuration are not looked at again', async (t) => {
  const world = await made(t, kms(1));
  const machine = boot(t, world, locked([kms(1)]));
  await settled(t, machine);
  const asked = world.keyServer.asked.length;
  machine.manager.apply([locked([kms(1)])]);
  t.deepEqual(machine.manager.unsynchronised(), []);
  await machine.until(() => false, 3);
  t.is(world.keyServer.asked.length, asked);
});

test('a volume that missed a change of its only key opens with the one before', async (t) => {
  const world = await made(t, passphrase(0, 'old'));
  world.cutPower();
  await settled(t, boot(t, world, locked([passphrase(0, 'new')], [passphrase(0, 'old')])));
  t.is(header(world).keys.get(0), hex('new'));
});

test('without the key before, the change of an only key is an error that names the slot', async (t) => {
  const world = await made(t, passphrase(0, 'old'));
  world.cutPower();
  const machine = boot(t, world, locked([passphrase(0, 'new')]));
  await machine.until(() => machine.status('u-data').phase === 'failed');
  t.is(machine.status('u-data').errorCode, 'ERR_VOLUME_KEYS');
  t.is(header(world).keys.get(0), hex('old'));
});

test('a key server that is away costs its own key and nothing else, until it is back', async (t) => {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  world.keyServer.isDown = true;
  const machine = boot(t, world, locked([passphrase(0, 'right'), kms(1)]));
  t.true(await machine.until(() => machine.isReady));
  await machine.until(() => machine.status('u-data').encryptionFailedSyncs.length > 0);
  t.like(machine.status('u-data').encryptionFailedSyncs, {
    0: { slot: 1, kind: 'kms', code: 'ERR_KMS_UNREACHABLE', permanence: 'transient' },
    length: 1,
  });
  t.deepEqual(slots(world), [0]);
  t.deepEqual(machine.manager.unsynchronised(), ['u-data']);
  world.keyServer.isDown = false;
  await settled(t, machine);
  t.deepEqual(slots(world), [0, 1]);
  t.deepEqual(machine.status('u-data').encryptionFailedSyncs, []);
});

test('a volume whose only key is away waits with its own code, and opens when it is back', async (t) => {
  const world = await made(t, kms(0));
  world.cutPower();
  world.keyServer.isDown = true;
  const machine = boot(t, world, locked([kms(0)]));
  await machine.until(() => machine.status('u-data').phase === 'failed');
  t.like(machine.status('u-data'), {
    errorCode: 'ERR_VOLUME_KEYS_AWAITED',
    permanence: 'transient',
    failedPhase: 'located',
  });
  t.is(machine.status('u-data').encryptionFailedKeys?.[0]?.code, 'ERR_KMS_UNREACHABLE');
  t.true((machine.status('u-data').nextRetryAt ?? 0) > machine.clock.now());
  world.keyServer.isDown = false;
  await settled(t, machine);
  t.is(machine.status('u-data').encryptionFailedKeys, undefined);
});

test('nothing is written while no key of a new volume can be had', async (t) => {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  world.keyServer.isDown = true;
  const machine = boot(t, world, locked([kms(0)]));
  await machine.until(() => machine.status('u-data').errorCode !== undefined);
  t.is(machine.status('u-data').errorCode, 'ERR_VOLUME_KEYS_AWAITED');
  t.false(world.changes.some((change) => change.startsWith('format')));
  world.keyServer.isDown = false;
  await settled(t, machine);
});

test('a key server that never answers holds back no other volume on the disk', async (t) => {
  const world = await made(t, kms(0));
  world.cutPower();
  world.keyServer.isSilent = true;
  const machine = boot(t, world, locked([kms(0)]), userSpec('logs', 'true', { encryption: encryption() }));
  t.true(await machine.until(() => machine.status('u-logs').phase === 'ready'));
  t.is(machine.status('u-data').progress, 'unlock');
});

test('keys of an adopted mapping are synchronised with a key that was obtained again', async (t) => {
  const world = await made(t, passphrase(0, 'right'));
  const machine = boot(t, world, locked([passphrase(0, 'right'), kms(1)]));
  await settled(t, machine);
  t.deepEqual(slots(world), [0, 1]);
  t.is(machine.status('u-data').encryptionSlot, 0);
  t.false(world.changes.some((change) => change.startsWith('open')));
});

test('an adopted mapping whose keys are all away stays in use', async (t) => {
  const world = await made(t, kms(0));
  world.keyServer.isDown = true;
  const machine = boot(t, world, locked([kms(0)]));
  t.true(await machine.until(() => machine.isReady));
  await machine.until(() => machine.status('u-data').encryptionFailedSyncs.length > 0);
  t.is(machine.status('u-data').encryptionFailedSyncs[0]?.code, 'ERR_KMS_UNREACHABLE');
  t.is(machine.status('u-data').phase, 'ready');
});

test('a rotation gives a sealed key new material, and says what it does', async (t) => {
  const world = await made(t, passphrase(0, 'right'), kms(1));
  const machine = boot(t, world, locked([passphrase(0, 'right'), kms(1)]));
  await settled(t, machine);
  const before = header(world).keys.get(1);
  const plan = await machine.manager.keysOf('u-data').planRotation({ slots: [1] });
  t.like(plan.keys, { 0: { slot: 0, action: 'keep' }, 1: { slot: 1, action: 'replace' } });
  t.is(header(world).keys.get(1), before);
  const steps: string[] = [];
  const report = await machine.manager.keysOf('u-data').rotate({
    slots: [1],
    onProgress: ({ step }) => steps.push(step),
  });
  t.deepEqual(report.failed, []);
  t.not(header(world).keys.get(1), before);
  t.true(steps.includes('prove'));
  await settled(t, machine);
});

test('a recovery key takes a free slot, opens the volume, and stays', async (t) => {
  const world = await made(t, passphrase(0, 'right'));
  const machine = boot(t, world, locked([passphrase(0, 'right')]));
  await settled(t, machine);
  using recovery = Secret.take(Buffer.from('written down'));
  t.is(await machine.manager.keysOf('u-data').addRecoveryKey(recovery), 1);
  t.is(header(world).keys.get(1), hex('written down'));
  const types = [...header(world).tokens.values()].map(({ type }) => type);
  t.true(types.includes('systemd-recovery'));
  machine.manager.apply([locked([passphrase(0, 'new')], [passphrase(0, 'right')])]);
  await settled(t, machine);
  t.deepEqual(slots(world), [0, 1]);
});

test('a header comes back as it was saved, and only to its own volume', async (t) => {
  const world = await made(t, passphrase(0, 'right'));
  const machine = boot(t, world, locked([passphrase(0, 'right')]));
  await settled(t, machine);
  const saved = await machine.manager.keysOf('u-data').backupHeader();
  header(world).keys.clear();
  t.is(await machine.manager.keysOf('u-data').restoreHeader(saved), header(world).uuid);
  t.is(header(world).keys.get(0), hex('right'));
  const foreign = Buffer.from(Buffer.from(saved).toString().replace(header(world).uuid, 'another'));
  await t.throwsAsync(machine.manager.keysOf('u-data').restoreHeader(foreign), { code: 'ERR_LUKS_BACKUP' });
  await settled(t, machine);
});

test('a header that no configured key opens is put back by force only', async (t) => {
  const world = await made(t, passphrase(0, 'old'), kms(1));
  const machine = boot(t, world, locked([passphrase(0, 'old'), kms(1)]));
  await settled(t, machine);
  const saved = await machine.manager.keysOf('u-data').backupHeader();
  machine.manager.apply([locked([passphrase(0, 'new')], [passphrase(0, 'old'), kms(1)])]);
  await settled(t, machine);
  machine.manager.apply([locked([passphrase(0, 'new')])]);
  await settled(t, machine);
  const keys = machine.manager.keysOf('u-data');
  await t.throwsAsync(keys.restoreHeader(saved), {
    instanceOf: VolumeError,
    code: 'ERR_VOLUME_KEYS',
    message: /so only force puts it back: static key of slot 0: its keyslot does not open with it/,
  });
  t.deepEqual([slots(world), header(world).keys.get(0)], [[0], hex('new')]);
  await keys.restoreHeader(saved, { force: true });
  t.deepEqual([slots(world), header(world).keys.get(0)], [[0, 1], hex('old')]);
});

test('a sealed key of the backup is reason enough to put it back', async (t) => {
  const world = await made(t, passphrase(0, 'right'), kms(1));
  const machine = boot(t, world, locked([passphrase(0, 'right'), kms(1)]));
  await settled(t, machine);
  const saved = await machine.manager.keysOf('u-data').backupHeader();
  machine.manager.apply([locked([passphrase(0, 'another'), kms(1)], [passphrase(0, 'right'), kms(1)])]);
  await settled(t, machine);
  machine.manager.apply([locked([passphrase(0, 'another'), kms(1)])]);
  await settled(t, machine);
  world.keyServer.isDown = true;
  await t.throwsAsync(machine.manager.keysOf('u-data').restoreHeader(saved), {
    code: 'ERR_VOLUME_KEYS_AWAITED',
  });
  world.keyServer.isDown = false;
  await machine.manager.keysOf('u-data').restoreHeader(saved);
  await settled(t, machine);
  t.is(header(world).keys.get(0), hex('another'));
});

test('a header that was overwritten while the volume is open comes back', async (t) => {
  const world = await made(t, passphrase(0, 'right'));
  const machine = boot(t, world, locked([passphrase(0, 'right')]));
  await settled(t, machine);
  const saved = await machine.manager.keysOf('u-data').backupHeader();
  const place = world.slot('/dev/sda1');
  if (place === undefined) throw new Error('no device');
  const uuid = header(world).uuid;
  world.overwritten.set('/dev/sda1', header(world));
  place.region = noise;
  t.is(await machine.manager.keysOf('u-data').restoreHeader(saved), uuid);
  await settled(t, machine);
  t.is(header(world).keys.get(0), hex('right'));
});

test('nothing is written to a device that has taken the name of the volume', async (t) => {
  const world = await made(t, kms(0));
  world.cutPower();
  world.keyServer.isDown = true; // the volume stays closed, and its failure is left to its retry
  const machine = boot(t, world, locked([kms(0)]));
  await machine.until(() => machine.status('u-data').errorCode === 'ERR_VOLUME_KEYS_AWAITED', 0);
  const saved = await machine.manager.keysOf('u-data').backupHeader();
  const [disk] = world.disks;
  if (disk === undefined) throw new Error('no disk');
  const { region } = disk.slot;
  world.disks.splice(0, 1, new FakeDisk('sda', 8000, { region, facts: { wwid: 'another disk' } }));
  const keys = machine.manager.keysOf('u-data');
  world.tell();
  await machine.until(() => false, 0);
  await t.throwsAsync(keys.restoreHeader(saved, { force: true }), { code: 'ERR_VOLUME_NOT_READY' });
});

test('a recovery key that its keyslot does not take is taken back', async (t) => {
  const world = await made(t, passphrase(0, 'right'));
  const machine = boot(t, world, locked([passphrase(0, 'right')]));
  await settled(t, machine);
  header(world).badKeyslot = 1;
  using recovery = Secret.take(Buffer.from('written down'));
  await t.throwsAsync(machine.manager.keysOf('u-data').addRecoveryKey(recovery), { code: 'ERR_VOLUME_KEYS' });
  t.deepEqual(slots(world), [0]);
});

test('what has no keys says so', async (t) => {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  const machine = boot(t, world, userSpec('data', 'true'));
  await settled(t, machine);
  t.throws(() => machine.manager.keysOf('u-x'), { code: 'ERR_VOLUME_NOT_FOUND' });
  const keys = machine.manager.keysOf('u-data');
  await t.throwsAsync(keys.rotate(), { code: 'ERR_VOLUME_NOT_ENCRYPTED' });
});

test('a header that is refused waits for whoever can replace it', (t) => {
  const refusedHeader = new LuksError('ERR_LUKS_UNSUPPORTED', '/dev/sda1', '', '/dev/sda1: cipher null');
  t.is(permanenceOf(refusedHeader), 'needs-operator');
});
