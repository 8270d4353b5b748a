import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { metaTag } from '@nodecore/meta';
import { BlockError, type Inventory } from '@nodecore/block';
import { identityOf } from '@nodecore/volumes';
import { Latest, systemClock } from '@nodecore/waiting';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { Meta } from '../src/persistence/meta.ts';
import { StateDirectory } from '../src/persistence/state-directory.ts';
import { beginReset, forgetWiped, performReset, resumeReset } from '../src/persistence/pending-reset.ts';
import type { ResetEffects } from '../src/persistence/perform-reset.ts';
import { decodeReset, encodeReset, type ResetRecord } from '../src/persistence/reset-record.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { disk, inventory } from './inventory.ts';

const [system, user] = [disk('vda'), disk('sdb')];
const disks = inventory([system, user], []);
const log = pino({ level: 'silent' });

class Died extends Error {}

/** Partitions and what is on them; the process dies before or after a change, when a test says so. */
class FakeDisks implements ResetEffects {
  readonly contents = new Map([
    ['STATE', 'data'],
    ['EPHEMERAL', 'data'],
    ['LOG', 'data'],
    ['/dev/sdb', 'data'],
  ]);
  readonly changes: string[] = [];
  /** Somebody has it. */
  used: string | undefined;
  /** The change at which the process dies. */
  dies: { readonly at: number; readonly after: boolean } | undefined;

  async partitions(): Promise<ReadonlySet<string>> {
    return new Set([...this.contents.keys()].filter((name) => !name.startsWith('/')));
  }

  async locate(_disk: string, guid: string): Promise<string> {
    return guid;
  }

  async requireUnused(path: string): Promise<void> {
    if (path === this.used)
      throw new BlockError('ERR_BLOCK_BUSY', path, `${path} is in use: mounted on /mnt`);
  }

  async wipeContent(path: string): Promise<void> {
    this.#change(`wipe ${path}`, () => this.contents.set(path, ''));
  }

  async removePartition(_disk: string, guid: string): Promise<void> {
    this.#change(`remove ${guid}`, () => {
      if (this.contents.get(guid) !== '') throw new Error(`${guid} was removed with data on it`);
      this.contents.delete(guid);
    });
  }

  #change(name: string, apply: () => void): void {
    const dies = this.dies?.at === this.changes.length ? this.dies : undefined;
    this.changes.push(name);
    if (dies?.after === false) throw new Died();
    apply();
    if (dies !== undefined) throw new Died();
  }
}

function record(labels: readonly string[], forget: readonly string[]): ResetRecord {
  return {
    stage: 'wipe',
    partitions: labels.map((label) => ({ label, disk: identityOf(system), partitionGuid: label })),
    disks: [identityOf(user)],
    forget,
    wipesMeta: false,
  };
}

async function metaOf(t: ExecutionContext): Promise<string> {
  const path = join(await temporaryDirectory(t), 'meta');
  await using file = await open(path, 'w');
  await file.truncate(1 << 20);
  const meta = await Meta.open(path);
  await meta.set(metaTag.machineUuid, Buffer.from('a machine'));
  await meta.set(metaTag.stateEncryption, Buffer.from('how STATE is opened'));
  return path;
}

function latestOf(value: Inventory): Latest<Inventory> {
  const latest = new Latest<Inventory>();
  latest.set(value);
  return latest;
}

/** What the next start does before it opens STATE. */
async function resume(path: string, effects: ResetEffects): Promise<Meta> {
  const meta = await Meta.open(path);
  const parts = {
    inventory: latestOf(disks),
    log,
    clock: systemClock,
    signal: new AbortController().signal,
    effects,
  };
  for await (const { reason } of resumeReset(meta, parts)) throw new Error(reason);
  return meta;
}

for (const wipesState of [true, false]) {
  const [labels, forget] = wipesState
    ? ([['EPHEMERAL', 'STATE'], []] as const)
    : ([
        ['EPHEMERAL', 'LOG'],
        ['EPHEMERAL', 'LOG', 'u-data'],
      ] as const);
  test(`a reset ${wipesState ? 'of STATE' : 'that leaves STATE'} that is cut off at any moment is completed by the next start`, async (t) => {
    const whole = new FakeDisks();
    const path = await metaOf(t);
    const first = await Meta.open(path);
    await beginReset(first, record(labels, forget), disks, whole);
    await performReset(first, disks, () => {}, whole);
    t.is(whole.changes.length, 5);
    for (let at = 0; at < whole.changes.length; at += 1)
      for (const after of [false, true]) {
        const effects = new FakeDisks();
        effects.dies = { at, after };
        const path = await metaOf(t);
        const meta = await Meta.open(path);
        await beginReset(meta, record(labels, forget), disks, effects);
        await t.throwsAsync(
          performReset(meta, disks, () => {}, effects),
          { instanceOf: Died },
        );
        effects.dies = undefined;
        const next = await resume(path, effects);
        t.deepEqual([...effects.contents], [...whole.contents], `${at} ${after}`);
        t.is(effects.contents.get(wipesState ? 'LOG' : 'STATE'), 'data', 'what was not named stays');
        const left = decodeReset(next.get(metaTag.reset));
        t.is(left?.stage, wipesState ? undefined : 'forget');
        t.is(
          next.get(metaTag.stateEncryption) === undefined,
          wipesState,
          'how STATE is opened goes with it, and only then',
        );
        t.is(String(next.get(metaTag.machineUuid)), 'a machine');
        const again = effects.changes.length;
        await resume(path, effects);
        t.is(effects.changes.length, again, 'once is enough');
      }
  });
}

test('before the record is written nothing is wiped', async (t) => {
  const effects = new FakeDisks();
  await resume(await metaOf(t), effects);
  t.deepEqual(effects.changes, []);
});

test('what somebody uses is no part of a reset: it does not begin, and the node goes on', async (t) => {
  for (const used of ['EPHEMERAL', '/dev/sdb']) {
    const path = await metaOf(t);
    const effects = Object.assign(new FakeDisks(), { used });
    const meta = await Meta.open(path);
    await t.throwsAsync(beginReset(meta, record(['EPHEMERAL'], []), disks, effects), {
      code: 'ERR_BLOCK_BUSY',
      message: `${used} is in use: mounted on /mnt`,
    });
    await resume(path, effects);
    t.deepEqual(effects.changes, []);
  }
});

test('STATE forgets the volumes that were wiped before anybody asks it for them', async (t) => {
  const path = await metaOf(t);
  const directory = await temporaryDirectory(t);
  const intents = join(directory, 'intents');
  const state = await StateDirectory.open(directory);
  for (const id of ['EPHEMERAL', 'u-data', 'u-kept']) await writeFile(join(intents, `${id}.json`), '{}');
  const meta = await Meta.open(path);
  await beginReset(meta, record(['EPHEMERAL'], ['EPHEMERAL', 'u-data']), disks, new FakeDisks());
  await performReset(meta, disks, () => {}, new FakeDisks());
  await forgetWiped(meta, state);
  t.deepEqual(await readdir(intents), ['u-kept.json']);
  t.is((await Meta.open(path)).get(metaTag.reset), undefined);
  await forgetWiped(meta, state);
});

test('with META everything that it says goes, and nothing of it stays on the partition', async (t) => {
  const path = await metaOf(t);
  const meta = await Meta.open(path);
  await beginReset(meta, { ...record(['STATE'], []), wipesMeta: true }, disks, new FakeDisks());
  await performReset(meta, disks, () => {}, new FakeDisks());
  t.deepEqual((await Meta.open(path)).tags, []);
  const bytes = await readFile(path);
  for (const value of ['a machine', 'how STATE is opened', 'wipesMeta'])
    t.false(bytes.includes(value), `${value} is still there`);
});

test('a machine that dies while META is emptied has the reset still to do, and no value that could come back', async (t) => {
  let [writes, dies] = [0, 0];
  /** The process dies at a write of its own. */
  const files = {
    open: async (...order: Parameters<typeof open>) => {
      const file = await open(...order);
      const write = file.write.bind(file) as (...given: unknown[]) => Promise<unknown>;
      const counted = async (...given: unknown[]): Promise<unknown> => {
        if (dies > 0 && (writes += 1) === dies) throw new Died();
        return await write(...given);
      };
      return Object.assign(file, { write: counted });
    },
  };
  const whole = { ...record(['STATE'], []), wipesMeta: true };
  for (const at of [1, 2, 3, 4, 5, 6]) {
    const fresh = await metaOf(t);
    [writes, dies] = [0, 0];
    const meta = await Meta.open(fresh, files);
    await beginReset(meta, whole, disks, new FakeDisks());
    dies = at;
    await t.throwsAsync(
      performReset(meta, disks, () => {}, new FakeDisks()),
      { instanceOf: Died },
    );
    t.is(writes, at);
    await resume(fresh, new FakeDisks());
    const bytes = await readFile(fresh);
    for (const value of ['a machine', 'how STATE is opened'])
      t.false(bytes.includes(value), `${value}, ${at}`);
    t.deepEqual((await Meta.open(fresh)).tags, []);
  }
});

test('no copy of META says any more that disks are to be wiped, when they are', async (t) => {
  const path = await metaOf(t);
  const meta = await Meta.open(path);
  await beginReset(meta, record(['STATE'], []), disks, new FakeDisks());
  await performReset(meta, disks, () => {}, new FakeDisks());
  t.false((await readFile(path)).includes('"stage":"wipe"'));
  t.is(String(meta.get(metaTag.machineUuid)), 'a machine');
});

test('a reset does not begin while a disk of it is not here, or two are like it', async (t) => {
  const effects = new FakeDisks();
  const twin = { ...user, id: 'sdc', devPath: '/dev/sdc' };
  for (const present of [inventory([system], []), inventory([system, user, twin], [])]) {
    const meta = await Meta.open(await metaOf(t));
    await t.throwsAsync(beginReset(meta, record(['STATE'], []), present, effects), {
      code: 'ERR_STATE_DISK_MISSING',
      message: /^\/dev\/sdb \(serial-sdb\) is not here any more/u,
    });
    t.is(meta.get(metaTag.reset), undefined);
  }
  t.deepEqual(effects.changes, []);
});

test('a disk that is not here any more is told of, and does not hold up the rest', async (t) => {
  const meta = await Meta.open(await metaOf(t));
  await beginReset(meta, record(['STATE'], []), disks, new FakeDisks());
  const told: string[] = [];
  await performReset(
    meta,
    inventory([system], []),
    ({ name, state }) => state !== 'running' && told.push(`${name} ${state}`),
    new FakeDisks(),
  );
  t.deepEqual(told, ['STATE done', 'sdb absent']);
});

/** A reset of STATE and a user disk that was cut off before anything was wiped; at the next start the user disk is not here. */
async function startWithout(t: ExecutionContext) {
  const path = await metaOf(t);
  await beginReset(await Meta.open(path), record(['STATE'], []), disks, new FakeDisks());
  const meta = await Meta.open(path);
  const effects = new FakeDisks();
  const [clock, stop, latest] = [new FakeClock(), new AbortController(), latestOf(inventory([system], []))];
  t.teardown(() => stop.abort());
  const parts = { inventory: latest, log, clock, signal: stop.signal, effects };
  return { meta, effects, clock, stop, latest, resuming: resumeReset(meta, parts) };
}

const awaited = {
  code: 'ERR_RESET_AWAITED',
  reason: 'a reset waits some minutes for what it is to wipe: /dev/sdb (serial-sdb)',
};

test('a disk that is slow to appear after a crash is waited for, and wiped with the rest', async (t) => {
  const { meta, effects, latest, resuming } = await startWithout(t);
  t.deepEqual((await resuming.next()).value, awaited);
  t.deepEqual(effects.changes, [], 'nothing is done by halves, and STATE stays closed');
  const next = resuming.next();
  latest.set(inventory([system, disk('sda')], []));
  await new Promise(setImmediate);
  t.deepEqual(effects.changes, [], 'another disk is not the one');
  latest.set(inventory([system, disk('sda'), disk('sdc', { serial: 'serial-sdb' })], []));
  t.true((await next).done);
  t.deepEqual(effects.changes, ['wipe STATE', 'remove STATE', 'wipe /dev/sdc']);
  t.is(meta.get(metaTag.reset), undefined);
});

test('a disk that does not appear in time does not keep the node closed, and is not wiped when it turns up later', async (t) => {
  const { meta, effects, clock, latest, resuming } = await startWithout(t);
  t.deepEqual((await resuming.next()).value, awaited);
  const next = resuming.next();
  clock.advance(180_000);
  t.true((await next).done);
  t.deepEqual(effects.changes, ['wipe STATE', 'remove STATE']);
  t.is(meta.get(metaTag.reset), undefined);
  latest.set(disks);
  t.true((await resuming.next()).done);
  t.is(effects.contents.get('/dev/sdb'), 'data');
});

test('an agent that ends while its reset waits for a disk leaves all of it to the next one', async (t) => {
  const { meta, effects, stop, resuming } = await startWithout(t);
  await resuming.next();
  const next = resuming.next();
  stop.abort();
  t.true((await next).done);
  t.deepEqual(effects.changes, []);
  t.is(decodeReset(meta.get(metaTag.reset))?.stage, 'wipe');
});

test('a record that can not be read is no reason to open STATE', (t) => {
  t.throws(() => decodeReset(Buffer.from('{')), { code: 'ERR_STATE_DAMAGED', message: /record of a reset/ });
});

test('a key of META that users write is no order to wipe, whatever is in it', async (t) => {
  const meta = await Meta.open(await metaOf(t));
  const value = encodeReset(record(['STATE'], []));
  await meta.set(metaTag.network, value);
  const effects = new FakeDisks();
  await performReset(meta, disks, () => {}, effects);
  t.deepEqual(effects.changes, []);
  t.deepEqual(Buffer.from(meta.get(metaTag.network) ?? []), Buffer.from(value));
});
