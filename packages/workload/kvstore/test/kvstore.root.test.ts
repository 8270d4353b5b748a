import { etcd, program, testWith } from '@nodecore/testkit';

import { compact, connect, deletePrefix, get, getPrefix, KvstoreError, put, status } from '../src/index.ts';

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
