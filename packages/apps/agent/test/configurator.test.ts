import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Configuration, redact } from '@nodecore/config';
import { temporaryDirectory } from '@nodecore/testkit';
import type { VolumeStatus } from '@nodecore/volumes';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { Configurator } from '../src/configuration/configurator.ts';
import type { ApplyRequest } from '../src/configuration/request.ts';
import { PersistenceError } from '../src/persistence/errors.ts';
import { StateDirectory } from '../src/persistence/state-directory.ts';
import { authority, rootDocument, volumeDocument } from './documents.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const ca = await authority();
const root = rootDocument(ca);
const texts = ['a', 'b', 'c', 'd'].map((name) => root + volumeDocument({ name }));
const [first = '', second = '', third = '', fourth = ''] = texts;

const silent = pino({ level: 'silent' });

async function setUp(t: ExecutionContext) {
  const path = join(await temporaryDirectory(t), 'state');
  const clock = new FakeClock();
  const activated: number[] = [];
  const state = {
    failure: undefined as Error | undefined,
    statuses: [] as VolumeStatus[],
    former: [] as readonly string[],
    tried: [] as string[],
    settled: [] as string[],
    keysInForce: false,
    path,
  };
  const make = async (): Promise<Configurator> => {
    const configurator = new Configurator({
      log: silent,
      clock,
      prepareState: async () => {
        if (state.failure !== undefined) throw state.failure;
        return StateDirectory.open(path);
      },
      prepareTrial: async ({ text }) => void state.tried.push(text),
      volumeStatuses: () => state.statuses,
      admit: async () => [],
      activate: async ({ configuration }, former) => {
        activated.push(texts.indexOf(configuration.text));
        state.former = former.map(({ text }) => text);
      },
      keysInForce: () => state.keysInForce,
      settle: async ({ text }) => void state.settled.push(text),
      publish: () => {},
    });
    t.teardown(() => configurator.close());
    return configurator;
  };
  const configurator = await make();
  return { path, clock, activated, state, configurator, make };
}

/** A volume whose only key is this passphrase. */
const lockedBy = (passphrase: string): string => root + volumeDocument({ name: 'a', passphrase });

const request = (text: string, more: Partial<ApplyRequest> = {}): ApplyRequest => ({
  text,
  mode: 'auto',
  dryRun: false,
  anonymous: false,
  ...more,
});

const activeText = (configurator: Configurator): string | undefined =>
  configurator.active?.configuration.text;

test('auto answers when the configuration is durable, and the next start has it', async (t) => {
  const { path, configurator, make, activated } = await setUp(t);
  const result = await configurator.apply(request(first));
  t.like(result, { durable: true, version: 1, mode: 'auto' });
  t.is(await readFile(join(path, 'config.yaml'), 'utf8'), first);
  const next = await make();
  t.true(await next.boot(await StateDirectory.open(path)));
  t.is(activeText(next), first);
  t.is(next.active?.version, 1);
  t.deepEqual(activated, [0, 0]);
});

test('a configuration that can not be persisted does not become active', async (t) => {
  const { configurator, state, activated } = await setUp(t);
  state.failure = new PersistenceError('ERR_STATE_NOT_READY', 'STATE: no space');
  await t.throwsAsync(configurator.apply(request(first)), { code: 'ERR_STATE_NOT_READY' });
  t.is(configurator.active, undefined);
  t.deepEqual(activated, []);
});

test('every problem of a text is in the error, and nothing changes', async (t) => {
  const { configurator } = await setUp(t);
  await configurator.apply(request(first));
  const bad = `${root}---\napiVersion: v1alpha1\nkind: UserVolumeConfig\nname: x\nnonsense: 1\nfilesystem: {type: fat}\n`;
  const error = await t.throwsAsync(configurator.apply(request(bad)), { code: 'ERR_CONFIG_INVALID' });
  t.true((error as unknown as { problems: unknown[] }).problems.length >= 2);
  t.is(activeText(configurator), first);
});

test('without a root document nothing is applied', async (t) => {
  const { configurator } = await setUp(t);
  await t.throwsAsync(configurator.apply(request(volumeDocument({ name: 'a' }))), {
    code: 'ERR_APPLY_REFUSED',
  });
});

test('a second call at the same time is turned away', async (t) => {
  const { configurator } = await setUp(t);
  const running = configurator.apply(request(first));
  await t.throwsAsync(configurator.apply(request(second)), { code: 'ERR_APPLY_IN_PROGRESS' });
  await running;
  t.is(activeText(configurator), first);
});

test('a dry run shows the difference and changes nothing', async (t) => {
  const { path, configurator } = await setUp(t);
  await configurator.apply(request(first));
  const result = await configurator.apply(request(second, { dryRun: true }));
  t.regex(result.diff, /^\+.*name: b/m);
  t.false(result.durable);
  t.is(result.version, 1);
  t.is(activeText(configurator), first);
  t.is(await readFile(join(path, 'config.yaml'), 'utf8'), first);
});

test('a staged configuration waits for the next start', async (t) => {
  const { path, configurator, make, activated } = await setUp(t);
  await configurator.apply(request(first));
  const result = await configurator.apply(request(second, { mode: 'staged' }));
  t.true(result.durable);
  t.is(activeText(configurator), first);
  const next = await make();
  await next.boot(await StateDirectory.open(path));
  t.is(activeText(next), second);
  t.deepEqual(activated, [0, 1]);
});

test('a tried configuration is active in memory only and goes back by itself', async (t) => {
  const { path, configurator, clock } = await setUp(t);
  await configurator.apply(request(first));
  const result = await configurator.apply(request(second, { mode: 'try', tryTimeoutMs: 30_000 }));
  t.false(result.durable);
  t.is(activeText(configurator), second);
  t.is(await readFile(join(path, 'config.yaml'), 'utf8'), first);
  clock.advance(29_999);
  t.is(activeText(configurator), second);
  const settled = configurator.settled();
  clock.advance(1);
  await settled;
  t.is(activeText(configurator), first);
});

test('a second try goes back to what was active before the first', async (t) => {
  const { configurator, clock } = await setUp(t);
  await configurator.apply(request(first));
  await configurator.apply(request(second, { mode: 'try' }));
  clock.advance(50_000);
  await configurator.apply(request(third, { mode: 'try' }));
  t.is(clock.sleepers, 1);
  clock.advance(59_999);
  t.is(activeText(configurator), third);
  const settled = configurator.settled();
  clock.advance(1);
  await settled;
  t.is(activeText(configurator), first);
});

test('neither a dry run nor a refused configuration ends a trial', async (t) => {
  const { configurator, clock, state } = await setUp(t);
  await configurator.apply(request(first));
  await configurator.apply(request(second, { mode: 'try' }));
  await configurator.apply(request(third, { dryRun: true }));
  await t.throwsAsync(configurator.apply(request('kind: Nothing')));
  await t.throwsAsync(configurator.apply(request(third, { expectedVersion: 77 })));
  state.failure = new PersistenceError('ERR_STATE_NOT_READY', 'disk gone');
  await t.throwsAsync(configurator.apply(request(third)));
  t.is(clock.sleepers, 1);
  const settled = configurator.settled();
  clock.advance(60_000);
  await settled;
  t.is(activeText(configurator), first);
});

test('applying what is on trial confirms it', async (t) => {
  const { path, configurator, clock } = await setUp(t);
  await configurator.apply(request(first));
  await configurator.apply(request(second, { mode: 'try' }));
  t.true((await configurator.apply(request(second))).durable);
  t.is(clock.sleepers, 0);
  clock.advance(120_000);
  t.is(activeText(configurator), second);
  t.is(await readFile(join(path, 'config.yaml'), 'utf8'), second);
});

test('staged and try need an active configuration', async (t) => {
  const { configurator } = await setUp(t);
  for (const mode of ['staged', 'try'] as const) {
    await t.throwsAsync(configurator.apply(request(first, { mode })), { code: 'ERR_APPLY_MODE' });
  }
});

test('a change made from an old version is refused, also over trials, rollbacks, staging and restarts', async (t) => {
  const { path, configurator, clock, make } = await setUp(t);
  const { version } = await configurator.apply(request(first, { expectedVersion: 0 }));
  t.is(version, 1);
  await configurator.apply(request(second, { mode: 'try', expectedVersion: 1 }));
  const settled = configurator.settled();
  clock.advance(60_000);
  await settled;
  const old = request(third, { expectedVersion: 1 });
  await t.throwsAsync(configurator.apply(old), { code: 'ERR_APPLY_CONFLICT' });
  const staged = await configurator.apply(request(third, { mode: 'staged', expectedVersion: 3 }));
  t.is(staged.version, 4);
  await t.throwsAsync(configurator.apply(request(fourth, { expectedVersion: 3 })), {
    code: 'ERR_APPLY_CONFLICT',
  });
  const next = await make();
  await next.boot(await StateDirectory.open(path));
  await t.throwsAsync(next.apply(request(fourth, { expectedVersion: 3 })), { code: 'ERR_APPLY_CONFLICT' });
  t.is((await next.apply(request(fourth, { expectedVersion: 4 }))).version, 5);
});

test('the same text again is no change', async (t) => {
  const { configurator, activated } = await setUp(t);
  await configurator.apply(request(first));
  const again = await configurator.apply(request(first));
  t.like(again, { details: 'No changes.', diff: '', version: 1, durable: true });
  t.deepEqual(activated, [0]);
});

test('a ready volume does not become another kind of volume', async (t) => {
  const { configurator, state } = await setUp(t);
  await configurator.apply(request(first));
  const status = {
    id: 'u-a',
    type: 'partition',
    phase: 'ready',
    filesystem: 'ext4',
    configuredEncryptionKeys: [],
    encryptionFailedSyncs: [],
  } as const;
  state.statuses = [status];
  const changed =
    root + volumeDocument({ name: 'a', type: 'disk', filesystem: 'xfs', passphrase: 'geheimnis' });
  const error = await t.throwsAsync(configurator.apply(request(changed)), { code: 'ERR_APPLY_REFUSED' });
  t.deepEqual(
    (error as unknown as { problems: { path: string }[] }).problems.map(({ path }) => path),
    ['volumeType', 'filesystem.type', 'encryption'],
  );
  state.statuses = [{ ...status, phase: 'waiting' }];
  await t.notThrowsAsync(configurator.apply(request(changed)));
});

test('a ready STATE does not lose or gain its encryption', async (t) => {
  const { configurator, state } = await setUp(t);
  state.statuses = [
    {
      id: 'STATE',
      type: 'partition',
      phase: 'ready',
      filesystem: 'xfs',
      encryptionProvider: 'luks2',
      configuredEncryptionKeys: ['nodeID'],
      encryptionFailedSyncs: [],
    },
  ];
  await t.throwsAsync(configurator.apply(request(first)), {
    code: 'ERR_APPLY_REFUSED',
    message: /VolumeConfig\/STATE: is encrypted/,
  });
});

test('a caller without certificate brings the first configuration and no other', async (t) => {
  const { path, configurator, make } = await setUp(t);
  await configurator.apply(request(first, { anonymous: true }));
  await t.throwsAsync(configurator.apply(request(second, { anonymous: true })), {
    code: 'ERR_APPLY_CONFIGURED',
  });
  // STATE is found only while the call makes it ready: what it holds wins.
  const next = await make();
  await t.throwsAsync(next.apply(request(second, { anonymous: true })), { code: 'ERR_APPLY_CONFIGURED' });
  t.is(activeText(next), first);
  t.is(await readFile(join(path, 'config.yaml'), 'utf8'), first);
});

test('a rollback happens although the state can not be written', async (t) => {
  const { path, configurator, clock } = await setUp(t);
  await configurator.apply(request(first));
  await configurator.apply(request(second, { mode: 'try' }));
  await rm(path, { recursive: true });
  await mkdir(join(path, 'config.version.part'), { recursive: true });
  const settled = configurator.settled();
  clock.advance(60_000);
  await settled;
  t.is(activeText(configurator), first);
});

test('secrets of a configuration that was not taken are wiped', async (t) => {
  const taken: Configuration[] = [];
  const path = await temporaryDirectory(t);
  const configurator = new Configurator({
    log: silent,
    prepareState: () => StateDirectory.open(path),
    prepareTrial: async () => {},
    volumeStatuses: () => [],
    admit: async (configuration) => {
      taken.push(configuration);
      return [];
    },
    keysInForce: () => false,
    settle: async () => {},
    activate: async () => {},
    publish: () => {},
  });
  await configurator.apply(request(first, { dryRun: true }));
  await configurator.apply(request(first));
  t.throws(() => taken[0]?.machine?.ca.key?.bytes, { instanceOf: TypeError });
  t.notThrows(() => taken[1]?.machine?.ca.key?.bytes);
  await configurator.close();
  configurator[Symbol.dispose]();
  t.throws(() => taken[1]?.machine?.ca.key?.bytes, { instanceOf: TypeError });
});

test('keys of configurations before are kept until every volume has the new ones, also over a restart', async (t) => {
  const { state, configurator, make } = await setUp(t);
  const [one, two, three] = ['one', 'two', 'three'].map(lockedBy) as [string, string, string];
  await configurator.apply(request(one));
  await configurator.apply(request(two));
  t.deepEqual(state.former, [one]);
  await configurator.apply(request(three));
  t.deepEqual(state.former, [one, two]);
  await configurator.forgetFormer();
  t.deepEqual(state.settled, [], 'a volume has not followed yet');

  const rebooted = await make();
  t.true(await rebooted.boot(await StateDirectory.open(state.path)));
  t.deepEqual([...state.former].toSorted(), [one, two].toSorted());
  state.keysInForce = true;
  await rebooted.forgetFormer();
  t.deepEqual(state.settled, [three]);
  const later = await make();
  t.true(await later.boot(await StateDirectory.open(state.path)));
  t.deepEqual(state.former, []);
});

test('a former configuration that is no text any more takes no other one with it', async (t) => {
  const { state, configurator, make } = await setUp(t);
  const [one, two, three] = ['one', 'two', 'three'].map(lockedBy) as [string, string, string];
  for (const text of [one, two, three]) await configurator.apply(request(text));
  await writeFile(join(state.path, 'former', '1.yaml'), Buffer.of(0xe9));
  t.true(await (await make()).boot(await StateDirectory.open(state.path)));
  t.deepEqual(state.former, [two]);
});

test('a persisted configuration that is not UTF-8 is not read with other bytes in their place', async (t) => {
  const { state, configurator, make } = await setUp(t);
  await configurator.apply(request(lockedBy('one')));
  const file = join(state.path, 'config.yaml');
  const bytes = await readFile(file);
  bytes[bytes.indexOf('one')] = 0xe9;
  await writeFile(file, bytes);
  const error = await t.throwsAsync((await make()).boot(await StateDirectory.open(state.path)), {
    code: 'ERR_CONFIG_INVALID',
  });
  t.is(error?.message, `${file} has 1 problem`);
});

test('a change that leaves the keys alone keeps nothing', async (t) => {
  const { state, configurator } = await setUp(t);
  await configurator.apply(request(lockedBy('one')));
  await configurator.apply(request(lockedBy('one') + volumeDocument({ name: 'b' })));
  t.deepEqual(state.former, []);
  t.deepEqual(await (await StateDirectory.open(state.path)).former.list(), []);
});

test('keys on trial are known to the next boot, and to the rollback', async (t) => {
  const { clock, state, configurator, make } = await setUp(t);
  const [one, two] = ['one', 'two'].map(lockedBy) as [string, string];
  await configurator.apply(request(one));
  await configurator.apply(request(two, { mode: 'try', tryTimeoutMs: 1000 }));
  t.deepEqual([state.tried, state.former], [[two], [one]]);
  state.keysInForce = true;
  await configurator.forgetFormer();
  t.deepEqual(state.settled, [], 'the persisted configuration is another one');

  const rebooted = await make();
  t.true(await rebooted.boot(await StateDirectory.open(state.path)));
  t.deepEqual(state.former, [two]);
  state.former = [];
  clock.advance(1000);
  await configurator.settled();
  t.deepEqual(state.former, [two]);
});

test('a confirmed trial keeps the keys that were persisted before it', async (t) => {
  const { state, configurator, make } = await setUp(t);
  const [one, two] = ['one', 'two'].map(lockedBy) as [string, string];
  await configurator.apply(request(one));
  await configurator.apply(request(two, { mode: 'try' }));
  await configurator.apply(request(two));
  const rebooted = await make();
  t.true(await rebooted.boot(await StateDirectory.open(state.path)));
  t.true(state.former.includes(one));
});

test('a staged configuration finds the keys that are in force until the boot', async (t) => {
  const { state, configurator, make } = await setUp(t);
  const [one, two] = ['one', 'two'].map(lockedBy) as [string, string];
  await configurator.apply(request(one));
  await configurator.apply(request(two, { mode: 'staged' }));
  state.keysInForce = true;
  await configurator.forgetFormer();
  const rebooted = await make();
  t.true(await rebooted.boot(await StateDirectory.open(state.path)));
  t.deepEqual(state.former, [one]);
});

test('a configuration that is edited without its secrets gets them back on the node', async (t) => {
  const { configurator } = await setUp(t);
  const text = lockedBy('correct horse');
  await configurator.apply(request(text));
  const edited = redact(text).replace('name: a\n', 'name: a # edited\n');
  t.false(edited.includes('correct horse'));
  await configurator.apply(request(edited, { expectedVersion: 1 }));
  t.is(activeText(configurator), text.replace('name: a\n', 'name: a # edited\n'));
  const error = await t.throwsAsync(configurator.apply(request(edited.replace('name: a #', 'name: b #'))));
  t.like(error, { code: 'ERR_CONFIG_INVALID', problems: [{ code: 'secret.hidden' }] });
  t.is(activeText(configurator), text.replace('name: a\n', 'name: a # edited\n'));
});

test('a text that was made from another configuration is told so before anything else is wrong with it', async (t) => {
  const { configurator } = await setUp(t);
  await configurator.apply(request(lockedBy('one')));
  await configurator.apply(request(first));
  // Its secret was hidden, and is not there any more.
  const text = redact(lockedBy('one'));
  await t.throwsAsync(configurator.apply(request(text, { expectedVersion: 1 })), {
    code: 'ERR_APPLY_CONFLICT',
  });
  await t.throwsAsync(configurator.apply(request(text)), { code: 'ERR_CONFIG_INVALID' });
});
