import { open } from 'node:fs/promises';

import { metaTag } from '@nodecore/meta';
import { BlockError } from '@nodecore/block';
import { parse } from '@nodecore/config';
import { identityOf } from '@nodecore/volumes';
import test from 'ava';

import { Meta } from '../src/persistence/meta.ts';
import { beginReset } from '../src/persistence/pending-reset.ts';
import { disk, inventory } from './inventory.ts';

import { encrypted, root, setUp } from './state-node.ts';

test('nobody gets a directory before STATE is mounted over it', async (t) => {
  const { make, latest, present, volumes, signal } = await setUp(t);
  const state = make();
  const early = { code: 'ERR_STATE_NOT_READY' };
  await t.throwsAsync(state.directory(), early);
  await t.throwsAsync(state.get('u-data'), early);
  volumes.answer = () => ({ phase: 'ready' });
  latest.set(present);
  for await (const finding of state.search(signal)) {
    if (finding.kind === 'found') t.is(await state.directory(), finding.directory);
  }
});

test('a machine without META is told apart from one that has not been looked at, and may get one later', async (t) => {
  const { latest, signal, make, present, volumes } = await setUp(t);
  const state = make();
  await t.throwsAsync(state.prepare(parse(root)), { message: /being looked at/ });
  const search = state.search(signal);
  latest.set(inventory([], []));
  t.like((await search.next()).value, { kind: 'absent' });
  await t.throwsAsync(state.prepare(parse(root)), { code: 'ERR_STATE_NO_SYSTEM_DISK' });
  latest.set(present);
  t.like((await search.next()).value, { kind: 'absent' });
  t.deepEqual(volumes.uuids, ['firmware-uuid']);
  t.deepEqual(
    volumes.applied.map((specs) => specs.map(({ id, provision }) => [id, provision])),
    [[['STATE', false]]],
  );
});

test('a META that is torn is no META, and STATE is found all the same', async (t) => {
  const { latest, signal, make, present, volumes, metaPath } = await setUp(t);
  const meta = await Meta.open(metaPath);
  await meta.set(metaTag.userReserved1, Buffer.from('one'));
  await using file = await open(metaPath, 'r+');
  for (const offset of [0, 1 << 19]) await file.write(Buffer.alloc(40, 0xff), 0, 40, offset + 40);
  volumes.answer = () => ({ phase: 'ready' });
  latest.set(present);
  const state = make();
  t.is((await state.search(signal).next()).value?.kind, 'found');
  t.is(state.meta?.damage?.kind, 'torn');
});

test('STATE of earlier days is opened as META says, with the UUID that META says', async (t) => {
  const { latest, signal, make, present, volumes, metaPath } = await setUp(t);
  const meta = await Meta.open(metaPath);
  await meta.set(metaTag.machineUuid, Buffer.from('OVERRIDE-UUID\n'));
  const keys = [{ slot: 0, lockToState: false, kind: 'nodeID' }];
  await meta.set(metaTag.stateEncryption, Buffer.from(JSON.stringify({ provider: 'luks2', keys })));
  volumes.answer = () => ({ phase: 'ready' });
  latest.set(present);
  const found = await make().search(signal).next();
  t.is(found.value?.kind, 'found');
  t.deepEqual(volumes.uuids, ['override-uuid']);
  t.deepEqual(volumes.applied[0]?.[0]?.encryption?.keys, keys as never);
});

test('the first configuration makes STATE, and META knows how to open it before it exists', async (t) => {
  const { latest, signal, make, present, volumes, metaPath } = await setUp(t);
  const state = make();
  const search = state.search(signal);
  latest.set(present);
  await search.next();
  volumes.answer = (spec) => {
    t.true(spec.provision);
    return { phase: 'waiting' };
  };
  const preparing = state.prepare(parse(encrypted));
  while (volumes.applied.length < 3) await new Promise(setImmediate);
  const kept = Buffer.from((await Meta.open(metaPath)).get(metaTag.stateEncryption) ?? []).toString();
  t.like(JSON.parse(kept), { provider: 'luks2', keys: [{ slot: 0, kind: 'nodeID' }] });
  const spec = volumes.applied.at(-1)?.[0];
  if (spec !== undefined) volumes.become(spec, { phase: 'ready' });
  const directory = await preparing;
  await state.put({
    volumeId: 'u-a',
    type: 'partition',
    disk: { wwid: '', serial: '', model: '', size: 1n, busPath: '', devPath: '' },
    phase: 'done',
  });
  t.is((await directory.intents.get('u-a'))?.volumeId, 'u-a');
  t.is((await search.next()).value?.kind, 'found');
});

test('a passphrase that may lie beside STATE opens it at the next boot', async (t) => {
  const { latest, signal, make, present, volumes } = await setUp(t);
  const state = make();
  latest.set(present);
  await state.search(signal).next();
  volumes.answer = ({ provision }) => ({ phase: provision ? 'ready' : 'missing' });
  const keys = 'keys: [{static: {passphrase: offen}}]\n  allowStaticState: true';
  await state.prepare(parse(encrypted.replace('keys: [{slot: 0, nodeID: {}}]', keys)));
  volumes.apply([]); // the machine goes down
  volumes.applied.length = 0;
  volumes.answer = () => ({ phase: 'ready' });
  t.is((await make().search(signal).next()).value?.kind, 'found');
  const [key] = volumes.applied[0]?.[0]?.encryption?.keys ?? [];
  t.is(key?.kind === 'static' ? key.passphrase.bytes.toString() : undefined, 'offen');
});

test('a reset that was cut off is completed before STATE is looked for; what stands against it is said', async (t) => {
  const { latest, signal, make, present, volumes, metaPath, clock, disks } = await setUp(t);
  const meta = await Meta.open(metaPath);
  await meta.set(metaTag.stateEncryption, Buffer.from('how STATE is opened'));
  const gone = { label: 'STATE', disk: identityOf(disk('vda')), partitionGuid: 'guid' };
  const record = { stage: 'wipe', partitions: [gone], disks: [], forget: [], wipesMeta: false } as const;
  await beginReset(meta, record, present, disks);
  disks.problem = new BlockError('ERR_BLOCK_BUSY', '/dev/vda2', '/dev/vda2 is in use: process 7 (cat)');
  const search = make().search(signal);
  latest.set(present);
  t.like((await search.next()).value, {
    kind: 'locked',
    code: 'ERR_BLOCK_BUSY',
    reason: 'a reset can not be completed: /dev/vda2 is in use: process 7 (cat)',
  });
  t.deepEqual(volumes.applied, [], 'what may be half wiped is not opened');
  disks.problem = undefined;
  const next = search.next();
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.advance(60_000);
  t.like((await next).value, { kind: 'absent' });
  t.deepEqual(disks.changes, ['wipe /dev/vda2', 'remove guid']);
  t.is(volumes.applied[0]?.[0]?.encryption, undefined);
  t.deepEqual((await Meta.open(metaPath)).tags, []);
});

test('when STATE can not be made the reason is said, and what was wanted is withdrawn', async (t) => {
  const { latest, signal, make, present, volumes, metaPath } = await setUp(t);
  const state = make();
  const search = state.search(signal);
  latest.set(present);
  await search.next();
  volumes.answer = (spec) =>
    spec.provision
      ? { phase: 'failed', permanence: 'needs-operator', errorMessage: 'the system disk has no space' }
      : { phase: 'missing' };
  await t.throwsAsync(state.prepare(parse(encrypted)), {
    code: 'ERR_STATE_NOT_READY',
    message: /the system disk has no space/,
  });
  t.deepEqual(
    volumes.applied.map((specs) => specs.map(({ provision }) => provision)),
    [[false], [], [true], [false]],
  );
  t.is((await Meta.open(metaPath)).get(metaTag.stateEncryption), undefined);
});

test('STATE that does not get ready is given up after the time, with what it waits for', async (t) => {
  const { clock, latest, signal, make, present, volumes } = await setUp(t);
  const state = make();
  const search = state.search(signal);
  latest.set(present);
  await search.next();
  volumes.answer = () => ({ phase: 'waiting', reason: 'two disks match' });
  const preparing = state.prepare(parse(root));
  while (volumes.applied.length < 3) await new Promise(setImmediate);
  clock.advance(120_000);
  await t.throwsAsync(preparing, { code: 'ERR_STATE_TIMEOUT', message: /two disks match/ });
});

for (const code of ['ERR_VOLUME_KEYS', 'ERR_VOLUME_KEYS_AWAITED', 'ERR_LUKS_DAMAGED'])
  test(`STATE that fails with ${code} is locked, not absent, and found when it opens`, async (t) => {
    const { latest, signal, make, present, volumes } = await setUp(t);
    volumes.answer = () => ({ phase: 'failed', errorCode: code, errorMessage: 'no key opens it' });
    const search = make().search(signal);
    latest.set(present);
    t.deepEqual((await search.next()).value, { kind: 'locked', code, reason: 'no key opens it' });
    const spec = volumes.applied[0]?.[0];
    if (spec !== undefined) volumes.become(spec, { phase: 'ready' });
    t.is((await search.next()).value?.kind, 'found');
  });
