import { etcd, program, testWith } from '@nodecore/testkit';

import {
  compact,
  connect,
  deletePrefix,
  get,
  getPrefix,
  type KeyEvent,
  KvstoreError,
  put,
  status,
  transact,
  watch,
} from '../src/index.ts';

const real = testWith(program('etcd'), program('etcdctl'));

real('what is written over TLS is read back, also by the store’s own client', async (t) => {
  const cluster = await etcd(t, { tls: true });
  await using kvstore = await connect({ endpoints: cluster.endpoints, tls: cluster.tls });
  const [endpoint = ''] = cluster.endpoints;
  const revision = await put(kvstore, 'some/key', 'value');
  const entry = await get(kvstore, 'some/key');
  t.is(Buffer.from(entry?.value ?? []).toString(), 'value');
  t.is(entry?.modRevision, revision);
  t.is(await cluster.etcdctl('get', 'some/key', '--print-value-only'), 'value\n');
  await put(kvstore, 'some/other', '');
  await put(kvstore, 'somf', '');
  const { entries, count } = await getPrefix(kvstore, 'some/');
  t.deepEqual(
    entries.map(({ key }) => Buffer.from(key).toString()),
    ['some/key', 'some/other'],
  );
  t.is(count, 2n);
  t.is(await deletePrefix(kvstore, ''), 3n);
  t.is(await get(kvstore, 'some/key'), undefined);
  await compact(kvstore, revision + 1n, { physical: true });
  await t.throwsAsync(get(kvstore, 'some/key', { revision }), {
    instanceOf: KvstoreError,
    code: 'ERR_KVSTORE_COMPACTED',
  });
  const { version, isLeader, memberId, leaderId } = await status(kvstore, endpoint);
  t.regex(version, /^3\.\d+\.\d+$/);
  t.true(isLeader);
  t.is(memberId, leaderId);
});

real('a transaction writes all or nothing, and a watch sees it as one', async (t) => {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const [absent, writes] = [
    [{ key: 'w/a', modRevision: 0n }],
    [
      { key: 'w/a', value: '1' },
      { key: 'w/b', value: '2' },
    ],
  ] as const;
  const { revision: before } = await transact(kvstore, { reads: ['w/a'] });
  const first = await transact(kvstore, { conditions: absent, writes, reads: ['w/a'] });
  t.deepEqual(first, { succeeded: true, revision: before + 1n, entries: [] });
  const second = await transact(kvstore, { conditions: absent, writes, reads: ['w/a', 'w/c'] });
  t.false(second.succeeded);
  t.deepEqual(
    second.entries.map((entry) => entry?.modRevision),
    [first.revision, undefined],
  );
  await transact(kvstore, { writes: [{ key: 'w/a' }] });
  const changes = watch(kvstore, { prefix: 'w/' }, { revision: first.revision });
  const events: KeyEvent[] = []; // several revisions may come together
  while (events.length < 3) events.push(...((await changes.next()).value ?? []));
  t.deepEqual(
    events.map(({ type, entry }) => [type, Buffer.from(entry.key).toString()]),
    [
      ['put', 'w/a'],
      ['put', 'w/b'],
      ['delete', 'w/a'],
    ],
  );
  t.is(Buffer.from(events[2]?.previous?.value ?? []).toString(), '1');
  const abort = new AbortController();
  const aborted = watch(kvstore, { key: 'w/a' }, { signal: abort.signal }).next();
  abort.abort(new Error('enough'));
  await t.throwsAsync(aborted, { message: 'enough' });
  const { revision } = await transact(kvstore, { reads: ['w/a'] });
  await compact(kvstore, revision, { physical: true });
  const late = watch(kvstore, { prefix: 'w/' }, { revision: first.revision });
  await t.throwsAsync(late.next(), { instanceOf: KvstoreError, code: 'ERR_KVSTORE_COMPACTED' });
  await changes.return();
});
