import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { metaTag } from '@nodecore/meta';
import * as pki from '@nodecore/pki';
import { BlockError, type Inventory } from '@nodecore/block';
import { parse } from '@nodecore/config';
import { temporaryDirectory } from '@nodecore/testkit';
import { identityOf, type VolumeSpec, type VolumeStatus } from '@nodecore/volumes';
import { Latest } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { Meta } from '../src/persistence/meta.ts';
import { StateVolume } from '../src/persistence/state-volume.ts';
import { beginReset } from '../src/persistence/pending-reset.ts';
import type { ResetEffects } from '../src/persistence/perform-reset.ts';
import { authority, rootDocument } from './documents.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { disk, inventory, partition } from './inventory.ts';

const root = rootDocument(await authority());
const encrypted = `${root}---\napiVersion: v1alpha1\nkind: VolumeConfig\nname: STATE\nencryption:\n  provider: luks2\n  keys: [{slot: 0, nodeID: {}}]\n`;

/** Volumes that come to whatever the test says. */
class ScriptedVolumes {
  readonly applied: VolumeSpec[][] = [];
  readonly uuids: string[] = [];
  answer: (spec: VolumeSpec) => Partial<VolumeStatus> = () => ({ phase: 'missing' });
  readonly #statuses = new Map<string, VolumeStatus>();
  readonly #log: VolumeStatus[] = [];
  readonly #turn = new Latest<number>();

  start(machineUuid: string): void {
    this.uuids.push(machineUuid);
  }

  apply(specs: readonly VolumeSpec[]): void {
    this.applied.push([...specs]);
    const wanted = new Set(specs.map(({ id }) => id));
    for (const [id, status] of this.#statuses) {
      if (wanted.has(id)) continue;
      this.#statuses.delete(id);
      this.#say({ ...status, phase: 'closed' });
    }
    for (const spec of specs) this.become(spec, this.answer(spec));
  }

  become(spec: VolumeSpec, change: Partial<VolumeStatus>): void {
    const { id, type } = spec;
    const base = { id, type, phase: 'waiting', filesystem: 'xfs' } as const;
    const status = { ...base, configuredEncryptionKeys: [], encryptionFailedSyncs: [], ...change };
    this.#statuses.set(id, status);
    this.#say(status);
  }

  statuses(): readonly VolumeStatus[] {
    return [...this.#statuses.values()];
  }

  async *follow(id: string, signal: AbortSignal): AsyncGenerator<VolumeStatus, void, undefined> {
    const present = this.#statuses.get(id);
    let place = this.#log.length;
    if (present !== undefined) yield present;
    for await (const _ of this.#turn.changes(signal)) {
      while (place < this.#log.length) {
        const status = this.#log[place];
        place += 1;
        if (status?.id === id) yield status;
      }
    }
  }

  #say(status: VolumeStatus): void {
    this.#log.push(status);
    this.#turn.set(this.#log.length);
  }
}

/** Disks that are wiped, unless something stands against it. */
class ScriptedDisks implements ResetEffects {
  readonly changes: string[] = [];
  problem: Error | undefined;

  async partitions(): Promise<ReadonlySet<string>> {
    return new Set(['guid']);
  }

  async locate(): Promise<string> {
    return '/dev/vda2';
  }

  async requireUnused(): Promise<void> {}

  async wipeContent(path: string): Promise<void> {
    if (this.problem !== undefined) throw this.problem;
    this.changes.push(`wipe ${path}`);
  }

  async removePartition(_disk: string, guid: string): Promise<void> {
    this.changes.push(`remove ${guid}`);
  }
}

async function setUp(t: ExecutionContext) {
  const clock = new FakeClock();
  const directory = await temporaryDirectory(t);
  const metaPath = join(directory, 'meta');
  await using file = await open(metaPath, 'w');
  await file.truncate(1 << 20);
  const volumes = new ScriptedVolumes();
  const latest = new Latest<Inventory>();
  const stop = new AbortController();
  t.teardown(() => stop.abort());
  const target = join(directory, 'state');
  const trusted: (readonly string[])[] = [];
  const disks = new ScriptedDisks();
  const make = (): StateVolume =>
    new StateVolume({
      trust: (roots) => trusted.push(roots),
      log: pino({ level: 'silent' }),
      inventory: latest,
      volumes,
      target,
      firmwareUuid: async () => 'firmware-uuid',
      clock,
      disks,
    });
  const meta = { ...partition('vda', 1, { partitionLabel: 'META' }), devPath: metaPath };
  return {
    clock,
    volumes,
    latest,
    signal: stop.signal,
    make,
    disks,
    trusted,
    metaPath,
    present: inventory([disk('vda')], [meta]),
  };
}

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

const kmsKey = { slot: 0, lockToState: false, kind: 'kms', endpoint: 'grpcs://kms.example:4050' } as const;

/** STATE whose keys are at a key server, with an authority of its own. */
async function atServer(slot = 0): Promise<string> {
  const { crt } = await pki.createCA('kms');
  const certificates = crt.trim().replaceAll('\n', '\n  ');
  return `${root}---
apiVersion: v1alpha1
kind: VolumeConfig
name: STATE
encryption:
  provider: luks2
  keys: [{slot: ${slot}, kms: {endpoint: "grpcs://kms.example:4050"}}]
---
apiVersion: v1alpha1
kind: TrustedRootsConfig
name: kms
certificates: |
  ${certificates}
`;
}

async function stored(metaPath: string): Promise<Record<string, unknown>> {
  const bytes = (await Meta.open(metaPath)).get(metaTag.stateEncryption);
  return (JSON.parse(Buffer.from(bytes ?? []).toString()) ?? {}) as Record<string, unknown>;
}

test('META has the endpoint of a key server and the authority that vouches for it', async (t) => {
  const { latest, signal, make, present, volumes, metaPath, trusted } = await setUp(t);
  volumes.answer = () => ({ phase: 'ready' });
  const state = make();
  latest.set(present);
  await state.search(signal).next();
  const configuration = parse(await atServer());
  await state.prepare(configuration);
  t.deepEqual((await stored(metaPath))['keys'], [kmsKey]);
  const [root] = configuration.all('TrustedRootsConfig').flatMap(({ certificates }) => certificates);
  t.deepEqual((await stored(metaPath))['roots'], [root]);

  volumes.apply([]); // nothing of it is left after a reboot
  const rebooted = make();
  await rebooted.search(signal).next();
  t.deepEqual(trusted.at(-1), [root]);
});

test('keys of before stay in META until STATE has the new ones; those on trial are in it too', async (t) => {
  const { latest, signal, make, present, volumes, metaPath } = await setUp(t);
  volumes.answer = () => ({ phase: 'ready' });
  const state = make();
  latest.set(present);
  await state.search(signal).next();
  await state.prepare(parse(encrypted));
  const changed = parse(await atServer(2));
  await state.prepareTrial(changed);
  t.like(await stored(metaPath), {
    keys: [{ kind: 'nodeID' }],
    previousKeys: [{ slot: 2, kind: 'kms' }],
  });
  await state.prepare(changed);
  t.like(await stored(metaPath), {
    keys: [{ slot: 2, kind: 'kms' }],
    previousKeys: [{ kind: 'nodeID' }],
  });
  volumes.apply([]); // nothing of it is left after a reboot
  const rebooted = make();
  await rebooted.search(signal).next();
  t.like(volumes.applied.at(-1)?.[0], { previousKeys: [{ kind: 'nodeID' }] });
  await state.settle(changed);
  t.is((await stored(metaPath))['previousKeys'], undefined);
});

test('STATE that is found late is opened with its own keys, and takes none of a first configuration', async (t) => {
  const { latest, signal, make, present, volumes, metaPath } = await setUp(t);
  volumes.answer = () => ({ phase: 'ready' });
  const state = make();
  latest.set(present);
  const search = state.search(signal);
  await search.next();
  const directory = state.prepare(parse(encrypted)); // an earlier life
  await directory;
  volumes.apply([]);
  const kept = await stored(metaPath);
  const foreign = parse(await atServer(2));
  for (const holdsConfiguration of [true, false]) {
    volumes.answer = (spec) => ({ phase: spec.provision ? 'waiting' : 'missing' });
    const rebooted = make();
    await rebooted.search(signal).next();
    const applied = volumes.applied.length;
    const preparing = rebooted.prepare(foreign);
    while (volumes.applied.length < applied + 2) await new Promise(setImmediate);
    const spec = volumes.applied.at(-1)?.[0];
    t.like(spec, { keepKeyslots: true, previousKeys: [{ slot: 0, kind: 'nodeID' }] });
    // A power cut here: STATE is opened, and its keyslots are made, as the one before says.
    t.like(await stored(metaPath), { keys: [{ kind: 'nodeID' }], previousKeys: [{ slot: 2, kind: 'kms' }] });
    if (holdsConfiguration) await (await directory).writeConfiguration(root, 1);
    else await rm(join((await directory).path, 'config.yaml'));
    if (spec !== undefined) volumes.become(spec, { phase: 'ready' });
    await preparing;
    if (holdsConfiguration) t.deepEqual(await stored(metaPath), kept);
    else t.like(await stored(metaPath), { keys: [{ slot: 2, kind: 'kms' }] });
    volumes.apply([]);
  }
});

test('a first configuration in clear leaves META what opens STATE until STATE is made in clear', async (t) => {
  const { latest, signal, make, present, volumes, metaPath } = await setUp(t);
  volumes.answer = () => ({ phase: 'ready', encryptionProvider: 'luks2' });
  const state = make();
  latest.set(present);
  await state.search(signal).next();
  await state.prepare(parse(encrypted));
  const kept = await stored(metaPath);
  await state.prepare(parse(root)); // whatever else refuses it: STATE is open, and encrypted
  await state.settle(parse(root));
  t.deepEqual(await stored(metaPath), kept);

  volumes.apply([]);
  volumes.answer = () => ({ phase: 'missing' });
  const rebooted = make();
  await rebooted.search(signal).next();
  volumes.answer = () => ({ phase: 'waiting' });
  const applied = volumes.applied.length;
  const preparing = rebooted.prepare(parse(root));
  while (volumes.applied.length < applied + 2) await new Promise(setImmediate);
  t.deepEqual(await stored(metaPath), kept);
  const spec = volumes.applied.at(-1)?.[0];
  if (spec !== undefined) volumes.become(spec, { phase: 'ready' });
  await preparing;
  t.is((await stored(metaPath))['keys'], undefined);
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
