import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { failure } from '@nodecore/api';
import { RotationState, type RotateKeysResponseInit, type VolumeServiceHandlers } from '@nodecore/api/volume';
import { recoveryKey } from '@nodecore/luks/recovery-key';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

async function node(t: ExecutionContext, volumes: Partial<VolumeServiceHandlers>) {
  const { endpoint } = await startFakeNode(t, { volumes });
  return { endpoint, env: await clientConfig(t, { endpoints: [endpoint] }) };
}

const rotation: readonly RotateKeysResponseInit[] = [
  { volume: 'u-data', slot: 0, kind: 'tpm', state: RotationState.RUNNING, message: 'adds slot 2' },
  { volume: 'u-data', slot: 0, kind: 'tpm', state: RotationState.DONE, message: 'sealed anew' },
  {
    volume: 'u-data',
    slot: 1,
    kind: 'kms',
    state: RotationState.FAILED,
    message: 'no answer',
    code: 'ERR_KMS_UNREACHABLE',
    permanence: 'transient',
  },
];

function answering(events: readonly RotateKeysResponseInit[], seen: unknown[] = []) {
  return {
    rotateKeys: (call) => {
      seen.push(call.request);
      for (const event of events) call.write(event);
      call.end();
    },
  } satisfies Partial<VolumeServiceHandlers>;
}

test('a rotation says what it does, then what became of each key; a key that failed is a failure', async (t) => {
  const seen: unknown[] = [];
  const { endpoint, env } = await node(t, answering(rotation, seen));
  const { code, out, error } = await osctl(['volume', 'rotate-keys', 'u-data', '--slot', '0,1'], { env });
  t.is(code, 1);
  t.deepEqual(seen, [{ volumes: ['u-data'], slots: [0, 1], dryRun: false }]);
  t.deepEqual(error.split('\n'), [
    `${endpoint}: u-data slot 0 (tpm): adds slot 2`,
    `${endpoint}: u-data slot 0 (tpm): done`,
    `${endpoint}: u-data slot 1 (kms): failed`,
    'osctl: 1 of 2 keys were not rotated; their old keys still open the volumes',
    '',
  ]);
  t.regex(out, /^NODE +VOLUME +SLOT +KIND +RESULT +DETAILS\n/);
  t.regex(out, / u-data +0 +tpm +done +sealed anew\n/);
  t.regex(out, / u-data +1 +kms +failed +no answer\n$/);
});

test('programs get the outcome of each key as JSON', async (t) => {
  const planned = {
    volume: 'u-data',
    slot: 0,
    kind: 'tpm',
    state: RotationState.PLANNED,
    message: 'seal anew',
  };
  const seen: { dryRun?: boolean }[] = [];
  const { endpoint, env } = await node(t, answering([planned], seen));
  const { code, out } = await osctl(['volume', 'rotate-keys', '--dry-run', '-o', 'json'], { env });
  t.is(code, 0);
  t.is(seen[0]?.dryRun, true);
  t.deepEqual(JSON.parse(out), [
    { node: endpoint, volume: 'u-data', slot: 0, kind: 'tpm', state: 'planned', message: 'seal anew' },
  ]);
});

test('what a dry run says of a volume as a whole is shown, and counts as no key', async (t) => {
  const ways = { volume: 'u-data', state: RotationState.PLANNED, message: 'proven keys that open it: 2' };
  const { env } = await node(t, answering([...rotation, ways]));
  const { out, error } = await osctl(['volume', 'rotate-keys', '--dry-run'], { env });
  t.regex(out, / u-data +planned +proven keys that open it: 2\n$/);
  t.regex(error, /1 of 2 keys/);
});

for (const slot of ['32', '-1', 'x', '', '1,,2'])
  test(`slot "${slot}" is a usage error`, async (t) => {
    t.is((await osctl(['volume', 'rotate-keys', `--slot=${slot}`])).code, 2);
  });

test('a recovery key is printed once, alone, and is the one that the node has stored', async (t) => {
  const keys: Buffer[] = [];
  const { env } = await node(t, {
    addRecoveryKey: ({ request }, answer) => {
      keys.push(Buffer.from(request.key));
      answer(null, { slot: 4 });
    },
  });
  const { code, out, error } = await osctl(['volume', 'recovery-key', 'u-data', '--yes'], { env });
  t.is(code, 0);
  t.is(out, `${keys[0]?.toString()}\n`);
  using parsed = recoveryKey.parse(Buffer.from(out));
  t.true(parsed.bytes.equals(keys[0] ?? Buffer.alloc(0)));
  t.regex(error, /u-data opens with this key in slot 4; it is not shown again/);
  t.false(error.includes(out.slice(0, 8)));
});

test('a recovery key goes into the format that was asked for, and not into one that leaves it out', async (t) => {
  const keys: string[] = [];
  const { env, endpoint } = await node(t, {
    addRecoveryKey: ({ request }, answer) => {
      keys.push(request.key.toString());
      answer(null, { slot: 4 });
    },
  });
  const args = ['volume', 'recovery-key', 'u-data', '--yes', '-o'];
  const { out } = await osctl([...args, 'json'], { env });
  t.deepEqual(JSON.parse(out), { node: endpoint, volume: 'u-data', slot: 4, key: keys[0] });
  const twice = await osctl([...args, 'jsonpath={.key} {.slot} {.key}'], { env });
  t.is(twice.out, `${keys[1]} 4 ${keys[1]}\n`);
  const none = await osctl([...args, 'jsonpath={.slot}'], { env });
  t.deepEqual([none.code, none.out, keys.length], [2, '', 2]);
  t.regex(none.error, /leaves the key out, which is shown only once/);
});

test('a recovery key that the node did not store is not shown', async (t) => {
  const { env } = await node(t, {
    addRecoveryKey: (_call, answer) => answer(failure(status.NOT_FOUND, 'no volume u-x')),
  });
  const { code, out } = await osctl(['volume', 'recovery-key', 'u-x', '--yes'], { env });
  t.deepEqual([code, out], [3, '']);
});

test('without a terminal, what asks before it acts needs --yes', async (t) => {
  const { env } = await node(t, {});
  const file = join(await temporaryDirectory(t), 'header');
  await writeFile(file, 'header');
  for (const args of [
    ['recovery-key', 'u-data'],
    ['header-restore', 'u-data', file],
  ]) {
    const { code, error } = await osctl(['volume', ...args], { env });
    t.is(code, 2);
    t.regex(error, /--yes/);
  }
});

test('a recovery key is for one node', async (t) => {
  const { env, endpoint } = await node(t, {});
  const { code, error } = await osctl(['volume', 'recovery-key', 'u-data', '-n', `${endpoint},10.0.0.9`], {
    env,
  });
  t.is(code, 2);
  t.regex(error, /for one node/);
});

test('a header is saved for its owner only, and never over a file', async (t) => {
  const asked: string[] = [];
  const { env } = await node(t, {
    backupHeader: (call) => {
      asked.push(call.request.volume);
      call.write({ data: Buffer.from('LUKS') });
      call.write({ data: Buffer.from('header') });
      call.end();
    },
  });
  const file = join(await temporaryDirectory(t), 'header');
  const args = ['volume', 'header-backup', 'u-data', '-o', file];
  const { code, error } = await osctl(args, { env });
  t.is(code, 0, error);
  t.is(await readFile(file, 'utf8'), 'LUKSheader');
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.is((await osctl(args, { env })).code, 2);
  t.deepEqual(asked, ['u-data']);
  const again = ['volume', 'header-backup', 'u-data', '-o', `${file}.2`, '--json'];
  t.like(JSON.parse((await osctl(again, { env })).out), {
    volume: 'u-data',
    file: `${file}.2`,
    sizeBytes: 10,
  });
});

test('a backup that breaks off leaves no file', async (t) => {
  const { env } = await node(t, {
    backupHeader: (call) => {
      call.write({ data: Buffer.from('LUKS') });
      call.emit('error', failure(status.UNAVAILABLE, 'going down'));
    },
  });
  const file = join(await temporaryDirectory(t), 'header');
  const { code } = await osctl(['volume', 'header-backup', 'u-data', '-o', file], { env });
  t.is(code, 5);
  await t.throwsAsync(stat(file), { code: 'ENOENT' });
});

test('a header is sent whole, with the name of its volume first', async (t) => {
  const seen: { volume: string; bytes: number; force: boolean }[] = [];
  const { env } = await node(t, {
    restoreHeader: (call, answer) => {
      call.on('data', ({ volume, data, force }: { volume: string; data: Uint8Array; force: boolean }) =>
        seen.push({ volume, bytes: data.length, force }),
      );
      call.on('end', () => answer(null, { uuid: 'some-uuid' }));
    },
  });
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'header');
  await writeFile(file, Buffer.alloc(2_500_000));
  const { code, error } = await osctl(['volume', 'header-restore', 'u-data', file, '-y'], { env });
  t.is(code, 0, error);
  t.deepEqual(seen[0], { volume: 'u-data', bytes: 0, force: false });
  t.is(
    seen.slice(1).reduce((sum, { bytes }) => sum + bytes, 0),
    2_500_000,
  );
  const told = await osctl(['volume', 'header-restore', 'u-data', file, '-y', '-o', 'json'], { env });
  t.like(JSON.parse(told.out), { volume: 'u-data', file, uuid: 'some-uuid' });
  seen.splice(4);
  t.true(seen.slice(1).every(({ volume, bytes }) => volume === '' && bytes <= 1 << 20));
  seen.length = 0;
  t.is((await osctl(['volume', 'header-restore', 'u-data', file, '-y', '--force'], { env })).code, 0);
  t.true(seen[0]?.force);
  await mkdir(join(directory, 'd'));
  for (const missing of ['nothing', 'd'])
    t.is(
      (await osctl(['volume', 'header-restore', 'u-data', join(directory, missing), '-y'], { env })).code,
      2,
    );
});

test('subcommands, flags and ids of volumes are completed', async (t) => {
  const specs = { 'VolumeStatuses.block.nodecore.dev': { 'u-data': {}, 'u-logs': {} } };
  const { endpoint } = await startFakeNode(t, { specs });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const complete = async (...words: string[]): Promise<string[]> => {
    const { out } = await osctl(['__complete', '--', 'volume', ...words], { env });
    return out.split('\n').flatMap((line) => line.split('\t')[0] || []);
  };
  t.deepEqual(await complete(''), ['rotate-keys', 'recovery-key', 'header-backup', 'header-restore']);
  t.deepEqual(await complete('rotate-keys', '--s'), ['--slot']);
  t.deepEqual(await complete('rotate-keys', ''), ['u-data', 'u-logs']);
  t.deepEqual(await complete('rotate-keys', 'u-data', ''), ['u-logs']);
  t.deepEqual(await complete('recovery-key', 'u-d'), ['u-data']);
  t.deepEqual(await complete('recovery-key', 'u-data', ''), []);
  t.deepEqual(await complete('header-restore', 'u-data', ''), [':files']);
});
