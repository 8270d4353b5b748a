import { etcd, program, testWith } from '@nodecore/testkit';

import {
  compareHashes,
  connect,
  defragment,
  deletePrefix,
  getPrefix,
  inspect,
  isHealthy,
  isKvstoreError,
  put,
  type Kvstore,
} from '../src/index.ts';
import { must } from './must.ts';

const real = testWith(program('etcd'));

const rounds = process.env['FAULT_CAMPAIGN'] === 'long' ? 50 : 3;
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

/** Numbers in [0, 1) that a seed brings back (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes one key after the other until it is told to stop, and remembers what was acknowledged. */
async function write(
  kvstore: Kvstore,
  acknowledged: Map<string, bigint>,
  signal: AbortSignal,
): Promise<void> {
  for (let index = acknowledged.size; !signal.aborted; index += 1) {
    const key = `write/${index}/${acknowledged.size}`;
    try {
      acknowledged.set(key, await put(kvstore, key, new Uint8Array(2_000).fill(index), { timeoutMs: 1_000 }));
    } catch (error) {
      if (!isKvstoreError(error)) throw error; // not acknowledged: it may be there or not
    }
  }
}

async function wellAgain(kvstore: Kvstore): Promise<void> {
  while (!(await inspect(kvstore)).members.every(isHealthy));
}

real('no acknowledged write is lost when members die while files are defragmented', async (t) => {
  t.log(`seed ${seed}, ${rounds} rounds`);
  t.timeout(60_000 + rounds * 20_000);
  const next = random(seed);
  const cluster = await etcd(t, { members: 3, tls: true });
  const { endpoints, tls } = cluster;
  await using kvstore = await connect({ endpoints, tls });
  await using writer = await connect({ endpoints, tls });
  const acknowledged = new Map<string, bigint>();
  let stopped = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < 8; index += 1)
      await put(kvstore, `filler/${index}`, new Uint8Array(1 << 20).fill(index));
    await deletePrefix(kvstore, 'filler/');
    const ending = new AbortController();
    const writing = write(writer, acknowledged, ending.signal);
    // The victim may be the one at work or another one, and its hour any event of the run.
    const victim = must(cluster.members[Math.floor(next() * 3)]);
    let events = Math.floor(next() * 8);
    const deaths: Promise<void>[] = [];
    const report = await defragment(kvstore, {
      holder: 'test',
      minFreeRatio: 0,
      minFreeBytes: 0n,
      settleTimeoutMs: 1_000,
      onProgress: () => {
        if (events === 0) deaths.push(victim.kill());
        events -= 1;
      },
    }).catch((error: unknown) => {
      if (isKvstoreError(error)) return undefined; // died before the plan was made
      throw error;
    });
    if (report?.stopped !== undefined) stopped += 1;
    await Promise.all(deaths);
    ending.abort();
    await writing;
    await cluster.start();
    await wellAgain(kvstore);
  }
  t.log(`${acknowledged.size} writes acknowledged, ${stopped} runs stopped`);
  t.true(acknowledged.size > 0);
  for (const endpoint of endpoints) {
    await using one = await connect({ endpoints: [endpoint], tls });
    const { entries } = await getPrefix(one, 'write/', { keysOnly: true, timeoutMs: 60_000 });
    const present = new Map(
      entries.map(({ key, modRevision }) => [Buffer.from(key).toString(), modRevision]),
    );
    t.deepEqual(
      [...acknowledged].filter(([key, revision]) => present.get(key) !== revision),
      [],
    );
  }
  t.is((await compareHashes(kvstore)).verdict, 'equal');
});
