import { compact, connect } from '@nodecore/kvstore';
import { etcd, program, testWith } from '@nodecore/testkit';
import test from 'ava';

import { createMany, type Subject } from '../../../foundation/state/test/contract-scene.ts';
import { contract } from '../../../foundation/state/test/contract.ts';
import { etcdState } from '../src/index.ts';

const real = testWith(program('etcd'), program('etcdctl'));

/** One member for all cases: each has a kind of its own. */
let shared: Promise<Subject> | undefined;
const ends: (() => unknown)[] = [];
test.after.always(async () => {
  for (const end of ends.toReversed()) await end();
});

async function open(): Promise<Subject> {
  const cluster = await etcd({ teardown: (end) => void ends.push(end) });
  const kvstore = await connect({ endpoints: cluster.endpoints });
  ends.push(() => kvstore.close());
  const state = etcdState(kvstore);
  const forget: Subject['forget'] = async (kind) => {
    await createMany(state, kind, 100);
    const { revision } = await state.list(kind);
    await compact(kvstore, BigInt(revision), { physical: true });
  };
  return {
    state,
    forget,
    // A member keeps 128 changes for a stream that is not read; what comes then, it reads again when the stream goes on.
    overrun: async (kind) => {
      const spec = 'x'.repeat(70_000); // the window of a stream, which the next one has to wait for
      for (let from = 0; from < 300; from += 30) {
        const ids = Array.from({ length: 30 }, (_, index) => `${from + index}`);
        await Promise.all(ids.map(async (id) => await state.create({ ...kind, id }, spec)));
      }
      const { revision } = await state.list(kind);
      await compact(kvstore, BigInt(revision), { physical: true });
    },
  };
}

contract(real, 'etcd', async () => await (shared ??= open()));
