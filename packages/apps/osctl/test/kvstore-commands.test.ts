import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { type KvstoreAlarm, KvstoreAlarmType, type KvstoreServiceHandlers } from '@nodecore/api/kvstore';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, type Outcome, osctl, type RunOptions } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const packed = new URL('../../../workload/kvstore/test/fixtures/etcd-3.4.23.db.gz', import.meta.url);
const snapshot = gunzipSync(await readFile(packed));

/** Runs kvstore commands against a node with these answers. */
async function commands(
  t: ExecutionContext,
  kvstore: Partial<KvstoreServiceHandlers>,
): Promise<(words: string, options?: RunOptions) => Promise<Outcome>> {
  const { endpoint } = await startFakeNode(t, { kvstore });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  return (words, options = {}) => osctl(['kvstore', ...words.split(' ')], { env, ...options });
}

const alarm = { memberId: 0x8e9en, type: KvstoreAlarmType.CORRUPT };

test('alarms that nobody has named are disarmed when somebody says so, and only those that were shown', async (t) => {
  const asked: (readonly KvstoreAlarm[])[] = [];
  let raised: readonly KvstoreAlarm[] = [alarm];
  const kvstore = await commands(t, {
    alarms: (_call, answer) => {
      answer(null, { alarms: raised });
      raised = [alarm, { ...alarm, type: KvstoreAlarmType.NOSPACE }];
    },
    disarmAlarms: ({ request }, answer) => {
      asked.push(request.alarms);
      answer(null, { disarmed: request.alarms });
    },
  });
  const nobody = await kvstore('alarm disarm');
  t.is(nobody.code, 2);
  t.regex(nobody.error, /no terminal to ask at; give --yes/);
  t.is((await kvstore('alarm disarm', { typed: 'n\n' })).code, 0);
  t.deepEqual(asked, []);

  raised = [alarm];
  const agreed = await kvstore('alarm disarm', { typed: 'y\n' });
  t.regex(agreed.error, /disarm 0000000000008e9e:CORRUPT\? That frees no space and repairs no data/);
  t.deepEqual(asked.splice(0), [[alarm]]);
  t.is((await kvstore('alarm disarm --yes')).code, 0);
  t.is(asked.splice(0)[0]?.length, 2);
  t.is((await kvstore('alarm disarm 8e9e:corrupt')).code, 0);
  t.deepEqual(asked.splice(0), [[alarm]]);
});

test('where no alarm is raised there is no question', async (t) => {
  const kvstore = await commands(t, { alarms: (_call, answer) => answer(null, { alarms: [] }) });
  const { code, out, error } = await kvstore('alarm disarm');
  t.deepEqual([code, out, error], [0, '', '']);
});

test('recover-space says what was done, and no more', async (t) => {
  let report = { compactedTo: 0n, defragmented: 0, disarmed: [] as { memberId: bigint }[] };
  const kvstore = await commands(t, {
    recoverSpace: (call) => {
      call.write({ report });
      call.end();
    },
  });
  t.regex((await kvstore('recover-space')).out, /no NOSPACE alarm is raised: nothing was done/);
  report = { compactedTo: 7n, defragmented: 0, disarmed: [] };
  const little = (await kvstore('recover-space')).out;
  t.regex(little, /compacted to revision 7, defragmented 0 members, disarmed nothing/);
  report = { compactedTo: 7n, defragmented: 1, disarmed: [{ memberId: 0x8e9en }] };
  const { out } = await kvstore('recover-space -o json');
  const { node, ...rest } = JSON.parse(out) as Record<string, unknown>;
  t.is(typeof node, 'string');
  t.deepEqual(rest, { compactedTo: 7, defragmented: 1, disarmed: ['0000000000008e9e'] });
});

test('every change can be told as JSON', async (t) => {
  const kvstore = await commands(t, {
    downgrade: (_call, answer) => answer(null, { clusterVersion: '3.5.0' }),
    forfeitLeadership: (_call, answer) => answer(null, { member: 'two' }),
    leave: (_call, answer) => answer(null, {}),
    removeMember: (_call, answer) => answer(null, {}),
  });
  const told = async (words: string): Promise<Record<string, unknown>> => {
    const { code, out, error } = await kvstore(`${words} -o json`);
    t.is(code, 0, error);
    const parsed = JSON.parse(out) as Record<string, unknown> | Record<string, unknown>[];
    const { node: _node, ...rest } = (Array.isArray(parsed) ? parsed[0] : parsed) ?? {};
    return rest;
  };
  t.deepEqual(await told('downgrade validate 3.4'), { step: 'validate', clusterVersion: '3.5.0' });
  t.deepEqual(await told('downgrade cancel'), { step: 'cancel', clusterVersion: '3.5.0' });
  t.deepEqual(await told('forfeit-leadership'), { newLeader: 'two' });
  t.deepEqual(await told('leave --yes'), { left: true });
  t.deepEqual(await told('remove-member 8e9e'), { member: '0000000000008e9e', removed: true });
  t.regex((await kvstore('downgrade cancel')).out, /downgrade cancel success, cluster version 3\.5\.0/);
});

test('a bootstrap can be told as JSON', async (t) => {
  const handlers: Partial<KvstoreServiceHandlers> = {
    bootstrap: (call) => {
      call.write({ message: 'begins', memberId: 0x8e9en });
      call.end();
    },
  };
  const { endpoint } = await startFakeNode(t, { kvstore: handlers });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const { code, out, error } = await osctl(['bootstrap', '-o', 'json'], { env });
  t.is(code, 0, error);
  t.deepEqual(JSON.parse(out), { node: endpoint, member: '0000000000008e9e' });
  t.is((await osctl(['bootstrap'], { env })).out, `${endpoint}: the kvstore runs, member 0000000000008e9e\n`);
});

const verify = (...words: readonly string[]): Promise<Outcome> => osctl(['kvstore', 'verify', ...words]);

test('files are proven without a node, each has a verdict, and the exit code says how many are good', async (t) => {
  const directory = await temporaryDirectory(t);
  const write = (name: string, bytes: Uint8Array) => writeFile(join(directory, name), bytes);
  await write('good.db', snapshot);
  const path = (name: string): string => join(directory, name);
  const good = await verify(path('good.db'));
  t.is(good.code, 0, good.error);
  t.regex(good.out, /good\.db +valid +622dcb09 +42 +45 +24576/);

  const flipped = Buffer.from(snapshot);
  flipped.writeUInt8(flipped.readUInt8(12_000) ^ 1, 12_000);
  await write('flipped.db', flipped);
  await write('cut.db', snapshot.subarray(0, 9_000));
  await write('bare.db', snapshot.subarray(0, -32));
  await write('other.db', Buffer.from('what is this?'));
  await write('notes.txt', Buffer.from('etcd'));
  await mkdir(path('later.db'));
  const all = await verify(directory, '-o', 'json');
  t.is(all.code, 6);
  t.regex(all.error, /not looked at, .*: later\.db, notes\.txt/);
  t.regex(all.error, /4 of 5 files are not proven/);
  const found = JSON.parse(all.out) as { path: string; verdict: string; message?: string }[];
  t.deepEqual(
    found.map((each) => [each.path.slice(directory.length + 1), each.verdict]),
    [
      ['bare.db', 'no-digest'],
      ['cut.db', 'truncated'],
      ['flipped.db', 'digest'],
      ['good.db', 'valid'],
      ['other.db', 'foreign'],
    ],
  );
  t.regex(found[2]?.message ?? '', /^its content is not what etcd sent/);

  t.is((await verify(path('bare.db'))).code, 1);
  t.is((await verify(path('bare.db'), '--skip-hash-check')).code, 0);
  t.is((await verify(path('flipped.db'), path('cut.db'))).code, 1);
  const missing = await verify(path('absent.db'));
  t.is(missing.code, 3);
  t.regex(missing.error, /absent\.db: is not there/);
  t.is((await verify(path('later.db'))).code, 3);
});

test('a rehearsal says what is missing for it', async (t) => {
  const file = join(await temporaryDirectory(t), 'good.db');
  await writeFile(file, snapshot);
  const { code, out, error } = await verify(
    file,
    '--rehearse',
    '--etcdutl',
    '/nowhere/etcdutl',
    '-o',
    'json',
  );
  t.is(code, 1);
  t.regex(error, /\/nowhere\/etcdutl: is not there; install it/);
  const [{ verdict }] = JSON.parse(out) as [{ verdict: string }];
  t.is(verdict, 'not-restorable');
});
