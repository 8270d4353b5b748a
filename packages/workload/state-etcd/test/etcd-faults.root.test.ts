import { compact, connect, put } from '@nodecore/kvstore';
import { type Kind, type Operation, type State, StateError } from '@nodecore/state';
import { etcd, program, testWith } from '@nodecore/testkit';

import { etcdState } from '../src/index.ts';

const real = testWith(program('etcd'));
const kind: Kind = { namespace: 'default', type: 'Groups.test.nodecore.dev' };
const parts = ['a', 'b', 'c'];

/** Writes groups of three, round after round, until a write fails. @returns the last acknowledged round of each group. */
async function writeGroups(
  state: State,
  groups: number,
  acknowledged: number[],
  told: () => void,
): Promise<void> {
  await Promise.all(
    Array.from({ length: groups }, async (_, group) => {
      const keys = parts.map((part) => ({ ...kind, id: `${group}${part}` }));
      const found = await state.get({ ...kind, id: `${group}a` });
      let version = found?.metadata.version ?? 0;
      for (;;) {
        const operations = keys.map((key): Operation =>
          version === 0 ? { op: 'create', key, spec: 1 } : { op: 'update', key, spec: version + 1, version },
        );
        try {
          await state.transaction(operations);
        } catch (error) {
          if (error instanceof StateError) return;
          throw error;
        }
        version += 1;
        acknowledged[group] = version;
        told();
      }
    }),
  );
}

real(
  'a member killed in the middle of writes has all that was acknowledged and nothing in halves',
  async (t) => {
    const cluster = await etcd(t);
    const [member] = cluster.members;
    const groups = 4;
    const acknowledged = Array.from({ length: groups }, () => 0);
    for (const after of [7, 60]) {
      await using kvstore = await connect({ endpoints: cluster.endpoints });
      const state = etcdState(kvstore);
      const enough = Promise.withResolvers<void>();
      let count = 0;
      const writing = writeGroups(state, groups, acknowledged, () => {
        count += 1;
        if (count === after) enough.resolve();
      });
      await enough.promise;
      await member?.kill();
      await writing;
      await cluster.start();
      await using again = await connect({ endpoints: cluster.endpoints });
      const { resources } = await etcdState(again).list(kind);
      for (const [group, least] of acknowledged.entries()) {
        const rounds = resources
          .filter(({ metadata }) => metadata.id.startsWith(String(group)))
          .map(({ spec, metadata }) => `${Number(spec)} ${metadata.version}`);
        t.is(
          new Set(rounds).size,
          least === 0 ? new Set(rounds).size : 1,
          `group ${group}: ${rounds.join(', ')}`,
        );
        t.true(
          rounds.length % parts.length === 0 &&
            (rounds[0] === undefined ? 0 : Number.parseInt(rounds[0])) >= least,
        );
      }
    }
  },
);

real('what etcd can not take at once is refused, and nothing of it is written', async (t) => {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const limited = { instanceOf: StateError, code: 'ERR_STATE_LIMIT' };
  const many = (count: number): Operation[] =>
    Array.from({ length: count }, (_, index) => ({
      op: 'create',
      key: { ...kind, id: `${index}` },
      spec: 0,
    }));
  const large = 'x'.repeat(1_600_000);
  const state = etcdState(kvstore);
  await t.throwsAsync(state.transaction(many(129)), limited);
  await t.throwsAsync(state.create({ ...kind, id: 'large' }, large), limited);
  // The same said by the member.
  const trusting = etcdState(kvstore, { maxOperations: 1000, maxBytes: 1e9 });
  await t.throwsAsync(trusting.transaction(many(129)), limited);
  await t.throwsAsync(trusting.create({ ...kind, id: 'large' }, large), limited);
  t.deepEqual((await state.list(kind)).resources, []);
  t.is((await state.transaction(many(128))).resources.length, 128);
});

real('a prefix below ours is not read, and a value that is no resource is told as damage', async (t) => {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const state = etcdState(kvstore, { prefix: 'mine' });
  const other = etcdState(kvstore, { prefix: 'mine/other' });
  await other.create({ ...kind, id: 'a' }, 1);
  t.is(await state.get({ ...kind, id: 'a' }), undefined);
  await put(kvstore, `mine/${kind.namespace}/${kind.type}/bad`, '[]');
  await t.throwsAsync(state.get({ ...kind, id: 'bad' }), { code: 'ERR_STATE_CORRUPT' });
  await t.throwsAsync(state.list(kind), { code: 'ERR_STATE_CORRUPT' });
});

real('a deletion whose past is compacted is told by its name', async (t) => {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const state = etcdState(kvstore);
  const key = { ...kind, id: 'a' };
  await state.create(key, 1);
  await state.destroy(key);
  const { revision } = await state.list(kind);
  await compact(kvstore, BigInt(revision), { physical: true });
  const late = state.watch({ kind, from: revision - 1 });
  await t.throwsAsync(late.next(), { code: 'ERR_STATE_COMPACTED' }, 'it could be missed from there');
  const watch = state.watch({ kind, from: revision });
  await state.create(key, 2);
  t.is((await watch.next()).value?.[0]?.type, 'created');
  await watch.return?.();
});

real('a member that is gone ends its watches and refuses the rest, in words for programs', async (t) => {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints, timeoutMs: 500 });
  const state = etcdState(kvstore);
  const key = { ...kind, id: 'a' };
  const watch = state.watch({ kind });
  await watch.next();
  await state.create(key, 1);
  const seen = await watch.next();
  const next = watch.next();
  await cluster.members[0]?.kill();
  await t.throwsAsync(next, { instanceOf: StateError, code: 'ERR_STATE_UNAVAILABLE' });
  await t.throwsAsync(state.get(key), { instanceOf: StateError, code: 'ERR_STATE_UNAVAILABLE' });
  await t.throwsAsync(state.create({ ...kind, id: 'b' }, 1), {
    instanceOf: StateError,
    code: 'ERR_STATE_UNKNOWN',
  });
  await cluster.start();
  const from = seen.value?.[0]?.revision ?? 0;
  const again = state.watch({ kind, from });
  await state.update(key, 2, { version: 1 });
  t.is((await again.next()).value?.[0]?.type, 'updated');
  const ending = again.next();
  await state[Symbol.asyncDispose]();
  t.true((await ending).done);
  await t.throwsAsync(state.get(key), { instanceOf: TypeError });
});
