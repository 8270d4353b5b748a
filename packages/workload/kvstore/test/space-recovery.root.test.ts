import { etcd, program, testWith } from '@nodecore/testkit';

import {
  alarms,
  connect,
  defragment,
  deletePrefix,
  isKvstoreError,
  put,
  recoverSpace,
  type Kvstore,
} from '../src/index.ts';

const real = testWith(program('etcd'));
const holder = 'test';
const quotaBytes = 8n << 20n;
/** Of a disk that is full. */
const readFreeDiskBytes = (): Promise<bigint> => Promise.resolve(0n);

async function fillUp(kvstore: Kvstore): Promise<void> {
  const value = new Uint8Array(1 << 19).fill(7);
  for (let index = 0; ; index += 1) {
    try {
      await put(kvstore, `filler/${index}`, value);
    } catch (error) {
      if (isKvstoreError(error, 'ERR_KVSTORE_NO_SPACE')) return;
      throw error;
    }
  }
}

for (const members of [1, 3] as const) {
  real(
    `a full store of ${members} takes writes again after one action, once there is something to free`,
    async (t) => {
      const cluster = await etcd(t, {
        members,
        tls: true,
        arguments: [`--quota-backend-bytes=${quotaBytes}`],
      });
      await using kvstore = await connect({ endpoints: cluster.endpoints, tls: cluster.tls });
      const nothing = await recoverSpace(kvstore, { holder, quotaBytes });
      t.deepEqual(nothing, { compactedTo: undefined, defragmentation: undefined, disarmed: [] });

      await fillUp(kvstore);
      const raised = await alarms(kvstore);
      await t.throwsAsync(defragment(kvstore, { holder }), {
        code: 'ERR_KVSTORE_NO_SPACE',
        message: /recover its space first/,
      });
      t.true(raised.length > 0);
      // What is alive is more than the quota: no room can be made, and the alarm stays.
      await t.throwsAsync(recoverSpace(kvstore, { holder, quotaBytes: 1n << 20n }), {
        code: 'ERR_KVSTORE_REFUSED',
        message: /delete keys or raise its quota/,
      });
      t.true((await alarms(kvstore)).length > 0);

      t.true((await deletePrefix(kvstore, 'filler/')) > 0n);
      await t.throwsAsync(recoverSpace(kvstore, { holder, quotaBytes: 1n << 20n, readFreeDiskBytes }), {
        code: 'ERR_KVSTORE_REFUSED',
        message: /its disk has 0; make room there/,
      });
      const { compactedTo, defragmentation, disarmed } = await recoverSpace(kvstore, { holder, quotaBytes });
      t.true((compactedTo ?? 0n) > 1n);
      t.is(defragmentation?.results.length, members);
      t.true(disarmed.length > 0);
      t.deepEqual(await alarms(kvstore), []);
      t.true((await put(kvstore, 'after', 'the recovery')) > 0n);
    },
  );
}
