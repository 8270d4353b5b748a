import { connect } from '@nodecore/api';
import { RotationState } from '@nodecore/api/volume';
import * as pki from '@nodecore/pki';
import type { RotationPlan, RotationReport } from '@nodecore/keys';
import { LuksError } from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { VolumeError, type VolumeKeys, type VolumeStatus } from '@nodecore/volumes';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { startNodeServer } from '../../../contract/api/test/node-server.ts';
import { volumeService } from '../src/volumes/volume-service.ts';
import { callerWith } from './callers.ts';

const ca = await pki.createCA('test');
const identity = await pki.issueServer(ca, { names: ['127.0.0.1'] });
const admin = await pki.issueClient(ca, { roles: ['os:admin'] });

const report: RotationReport = {
  synced: [
    { slot: 0, kind: 'static', change: 'none' },
    { slot: 1, kind: 'tpm', change: 'replaced', reason: 'sealed anew' },
  ],
  failed: [{ slot: 2, kind: 'kms', code: 'ERR_KMS_TIMEOUT', message: 'no answer', permanence: 'transient' }],
  resumed: [],
  removed: [],
  unmanaged: [7],
  unfinished: [],
};

type FakeKeys = Partial<Record<keyof VolumeKeys, (...parameters: never[]) => unknown>>;

async function setUp(t: ExecutionContext, volumes: Readonly<Record<string, FakeKeys>>) {
  const lines: Record<string, unknown>[] = [];
  /** Volumes that have a status, and are not configured any more. */
  const closing: string[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const handlers = volumeService(
    {
      statuses: () =>
        [...closing, ...Object.keys(volumes)].map(
          (id) => ({ id, configuredEncryptionKeys: ['tpm'] }) as unknown as VolumeStatus,
        ),
      keysOf: (id) => {
        const keys = volumes[id];
        if (keys !== undefined) return keys as unknown as VolumeKeys;
        throw new VolumeError('ERR_VOLUME_NOT_FOUND', id, `there is no volume ${id}`, 'needs-operator');
      },
    },
    {
      log: pino({ level: 'trace' }, { write }),
      callerOf: () => callerWith('os:admin'),
      stopping: new AbortController().signal,
    },
  );
  const { endpoint } = await startNodeServer(t, { identity, ca: ca.crt, volumes: handlers });
  const client = connect({ endpoint, ca: ca.crt, crt: admin.crt, key: admin.key });
  t.teardown(() => client.close());
  const audit = () => lines.filter((line) => line['audit'] === true);
  return { client, lines, audit, closing };
}

const failing = async (): Promise<never> => {
  throw new VolumeError('ERR_VOLUME_NOT_READY', 'u-a', 'u-a is nowhere yet', 'transient');
};

const refuse = async (): Promise<never> => {
  throw new LuksError('ERR_LUKS_BACKUP', '/dev/sda1', '', 'not a backup of this volume');
};

async function* request(volume: string) {
  yield { volume, data: Buffer.from('x') };
}

async function all<T>(batches: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const batch of batches) list.push(batch);
  return list;
}

test('a rotation tells each step and what became of each key, and leaves a line of who asked', async (t) => {
  const { client, audit } = await setUp(t, {
    'u-data': {
      rotate: async ({ onProgress }: { onProgress: (progress: unknown) => void }) => {
        onProgress({ slot: 1, step: 'add', description: 'adds the new key in slot 31' });
        return report;
      },
    },
  });
  const events = await all(client.rotateKeys({}));
  t.deepEqual(
    events.map(({ slot, state, code }) => [slot, state, code]),
    [
      [1, RotationState.RUNNING, ''],
      [0, RotationState.SKIPPED, ''],
      [1, RotationState.DONE, ''],
      [2, RotationState.FAILED, 'ERR_KMS_TIMEOUT'],
    ],
  );
  t.like(audit()[0], { action: 'rotate-keys', volume: 'u-data', roles: ['os:admin'], outcome: 'begun' });
  t.like(audit()[1], { action: 'rotate-keys', outcome: 'done' });
  t.regex(String(audit()[0]?.['peer']), /^127\.0\.0\.1:\d+$/);
});

test('keys of slots that nobody asked for are not told', async (t) => {
  const { client } = await setUp(t, { 'u-data': { rotate: async () => report } });
  const events = await all(client.rotateKeys({ volumes: ['u-data'], slots: [1] }));
  t.deepEqual(
    events.map(({ slot }) => slot),
    [1, 2],
  );
});

test('a volume that fails does not hold back the next, and says why', async (t) => {
  const { client, audit } = await setUp(t, {
    'u-a': { rotate: failing },
    'u-b': { rotate: async () => report },
  });
  const events = await all(client.rotateKeys({}));
  t.like(events[0], {
    volume: 'u-a',
    state: RotationState.FAILED,
    code: 'ERR_VOLUME_NOT_READY',
    permanence: 'transient',
  });
  t.is(events[0]?.slot, undefined);
  t.true(events.some(({ volume, state }) => volume === 'u-b' && state === RotationState.DONE));
  t.like(audit()[1], { volume: 'u-a', outcome: 'failed', code: 'ERR_VOLUME_NOT_READY' });
});

test('a volume that is being closed is not rotated, and holds back no other', async (t) => {
  const rotateFirst = async (): Promise<RotationReport> => {
    delete volumes['u-b']; // somebody takes it out of the configuration meanwhile
    return report;
  };
  const volumes: Record<string, FakeKeys> = {
    'u-a': { rotate: rotateFirst },
    'u-b': { rotate: failing },
    'u-c': { rotate: async () => report },
  };
  const { client, closing } = await setUp(t, volumes);
  closing.push('u-0');
  const events = await all(client.rotateKeys({}));
  t.deepEqual([...new Set(events.map(({ volume }) => volume))].toSorted(), ['u-a', 'u-c']);
  await t.throwsAsync(all(client.rotateKeys({ volumes: ['u-0'] })), { code: 'ERR_API_NOT_FOUND' });
});

test('a volume that was named and goes before its turn is told', async (t) => {
  const volumes: Record<string, FakeKeys> = { 'u-b': { rotate: async () => report } };
  volumes['u-a'] = {
    rotate: async (): Promise<RotationReport> => {
      delete volumes['u-b'];
      return report;
    },
  };
  const { client } = await setUp(t, volumes);
  const events = await all(client.rotateKeys({ volumes: ['u-a', 'u-b'] }));
  t.like(events.at(-1), { volume: 'u-b', state: RotationState.FAILED, code: 'ERR_VOLUME_NOT_FOUND' });
});

test('a dry run says what would be done', async (t) => {
  const plan: RotationPlan = {
    keys: [
      { slot: 0, kind: 'static', action: 'keep', reason: 'it opens its keyslot', gains: [], loses: [] },
      {
        slot: 1,
        kind: 'tpm',
        action: 'replace',
        spare: 31,
        reason: 'asked for',
        gains: ['PCR 7 as it is'],
        loses: ['a PIN'],
      },
      { slot: 2, kind: 'kms', action: 'blocked', reason: 'no answer', gains: [], loses: [] },
    ],
    removed: [],
    unmanaged: [],
    ways: { before: 2, lowest: 1, after: 2 },
  };
  const { client } = await setUp(t, { 'u-data': { planRotation: async () => plan } });
  const events = await all(client.rotateKeys({ dryRun: true }));
  t.deepEqual(
    events.map(({ state }) => state),
    [RotationState.SKIPPED, RotationState.PLANNED, RotationState.FAILED, RotationState.PLANNED],
  );
  t.is(events[1]?.message, 'replace: asked for; loses a PIN; gains PCR 7 as it is');
  t.is(events[3]?.message, 'proven keys that open it: 2 now, 1 at the lowest point, 2 at the end');
  t.is(events[3]?.slot, undefined);
});

test('a recovery key reaches its volume, is wiped, and is in no line of the log', async (t) => {
  const stored: string[] = [];
  const secrets: Secret[] = [];
  const { client, lines, audit } = await setUp(t, {
    'u-data': {
      addRecoveryKey: async (key: Secret) => {
        stored.push(key.bytes.toString());
        secrets.push(key);
        return 5;
      },
    },
  });
  const key = Buffer.from('cbdefghi-jklnrtuv');
  t.is((await client.addRecoveryKey({ volume: 'u-data', key })).slot, 5);
  t.deepEqual(stored, ['cbdefghi-jklnrtuv']);
  t.throws(() => secrets[0]?.bytes, { instanceOf: TypeError });
  t.false(JSON.stringify(lines).includes('cbdefghi'));
  t.is(audit().length, 2);
  await t.throwsAsync(client.addRecoveryKey({ volume: 'u-data' }), { code: 'ERR_API_INVALID' });
  await t.throwsAsync(client.addRecoveryKey({ volume: 'u-x', key }), { code: 'ERR_API_NOT_FOUND' });
});

test('a volume that is named twice is rotated once', async (t) => {
  let count = 0;
  const rotate = async (): Promise<RotationReport> => {
    count += 1;
    return report;
  };
  const { client } = await setUp(t, { 'u-data': { rotate } });
  await all(client.rotateKeys({ volumes: ['u-data', 'u-data'] }));
  t.is(count, 1);
});

test('a header is sent in pieces, and comes back whole', async (t) => {
  const header = Buffer.alloc(2_500_000, 'h');
  const restored: { readonly bytes: Uint8Array; readonly force: boolean }[] = [];
  const { client, audit } = await setUp(t, {
    'u-data': {
      backupHeader: async () => header,
      restoreHeader: async (bytes: Uint8Array, { force }: { readonly force: boolean }) => {
        restored.push({ bytes, force });
        return 'some-uuid';
      },
    },
  });
  const pieces = await all(client.backupHeader({ volume: 'u-data' }));
  t.deepEqual(Buffer.concat(pieces.map(({ data }) => data)), header);
  t.true(pieces.length > 1);
  async function* requests(force: boolean) {
    yield { volume: 'u-data', force };
    for (const { data } of pieces) yield { data };
  }
  t.is((await client.restoreHeader(requests(false))).uuid, 'some-uuid');
  t.is((await client.restoreHeader(requests(true))).uuid, 'some-uuid');
  t.deepEqual(
    restored.map(({ bytes, force }) => [header.equals(bytes), force]),
    [
      [true, false],
      [true, true],
    ],
  );
  t.deepEqual(
    audit().map(({ action, outcome, force }) => [action, outcome, force]),
    [
      ['backup-header', 'begun', undefined],
      ['backup-header', 'done', undefined],
      ['restore-header', 'begun', false],
      ['restore-header', 'done', false],
      ['restore-header', 'begun', true],
      ['restore-header', 'done', true],
    ],
  );
});

test('a header that is none is refused with the reason', async (t) => {
  const { client } = await setUp(t, { 'u-data': { restoreHeader: refuse } });
  await t.throwsAsync(client.restoreHeader(request('u-data')), {
    code: 'ERR_API_INVALID',
    message: /not a backup of this volume/,
  });
  await t.throwsAsync(client.restoreHeader(request('')), { code: 'ERR_API_INVALID' });
});
