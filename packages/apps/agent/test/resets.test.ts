import test from 'ava';

import type { ResetEvent } from '../src/resets/resets.ts';

import { resetNode, resetOrder } from './reset-node.ts';

async function all(events: AsyncIterable<ResetEvent>): Promise<readonly ResetEvent[]> {
  const seen: ResetEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

async function fails(message: string): Promise<never> {
  throw new Error(message);
}

test('the kvstore is left, all ends, the reset is written down, and only then something is wiped', async (t) => {
  for (const [reboot, last] of [
    [false, 'restart'],
    [true, 'reboot'],
  ] as const) {
    const { resets, done, ended } = resetNode();
    const events = await all(resets.request({ ...resetOrder, reboot }));
    t.deepEqual(
      events.map(({ step, doneBytes }) => [step, doneBytes]),
      [
        ['leaving', undefined],
        ['closing', undefined],
        ['wiping', 512n],
        ['wiping', 1n << 20n],
        ['done', undefined],
      ],
    );
    t.is(await ended, last);
    t.deepEqual(done, ['leave with STATE', 'halt', 'record STATE', 'wipe', last]);
  }
});

test('a dry run shows what would go and changes nothing; another plan than the one shown is refused', async (t) => {
  const { resets, done } = resetNode();
  const [planned, ...rest] = await all(resets.request({ ...resetOrder, dryRun: true }));
  t.like(planned, { step: 'planned', name: 'STATE', devPath: '/dev/vda2', content: 'luks' });
  t.deepEqual(rest, []);
  await t.throwsAsync(all(resets.request({ ...resetOrder, digest: 'another' })), {
    code: 'ERR_RESET_REFUSED',
  });
  t.deepEqual(done, []);
  t.is((await all(resets.request({ ...resetOrder, digest: planned?.digest ?? '' }))).at(-1)?.step, 'done');
});

test('on a host nothing is wiped and nothing reboots, and it says why', async (t) => {
  const { resets, done } = resetNode({ isOwnMachine: false });
  for (const reboot of [false, true])
    await t.throwsAsync(all(resets.request({ ...resetOrder, reboot })), {
      code: 'ERR_RESET_HOST',
      message: /keeps its state in a directory of this host/,
    });
  t.deepEqual(done, []);
});

test('a kvstore that can not be left leaves the node as it is, unless nobody asks for it', async (t) => {
  const { resets, done } = resetNode({ leave: () => fails('no quorum without it') });
  const events = await all(resets.request(resetOrder));
  t.deepEqual(
    events.map(({ step, message }) => [step, message]),
    [
      ['leaving', undefined],
      ['failed', 'no quorum without it; nothing was changed; without --graceful it is not left in order'],
    ],
  );
  t.deepEqual(done, []);
  await new Promise(setImmediate);
  resets.requireIdle();
  t.is((await all(resets.request({ ...resetOrder, graceful: false }))).at(-1)?.step, 'done');
});

test('a volume that can not be closed is named, nothing is wiped, and the node begins anew', async (t) => {
  const busy = new AggregateError([new Error('/var is in use: process 7 (etcd)')], '1 volumes');
  const { resets, done, ended } = resetNode({ halt: () => Promise.reject(busy) });
  const last = (await all(resets.request(resetOrder))).at(-1);
  t.like(last, { step: 'failed' });
  t.regex(last?.message ?? '', /process 7 \(etcd\); nothing was wiped, and the node begins anew/);
  t.is(await ended, 'restart');
  t.deepEqual(done, ['leave with STATE', 'restart']);
});

test('a reset that can not be written down does not happen', async (t) => {
  const { resets, done, ended } = resetNode({ begin: () => fails('META: EIO') });
  const last = (await all(resets.request(resetOrder))).at(-1);
  t.like(last, { step: 'failed', message: 'META: EIO; nothing was wiped, and the node begins anew' });
  t.is(await ended, 'restart');
  t.false(done.includes('wipe'));
});

test('a wipe that fails is gone on with by the next life', async (t) => {
  const { resets, ended } = resetNode({ perform: () => fails('EIO') });
  t.like((await all(resets.request({ ...resetOrder, reboot: true }))).at(-1), {
    step: 'failed',
    message: 'EIO; the node begins anew and goes on with it',
  });
  t.is(await ended, 'restart');
});

test('whoever asked may go: the reset goes on, and nobody else begins one meanwhile', async (t) => {
  const closed = Promise.withResolvers<void>();
  const { resets, done, ended } = resetNode({ halt: () => closed.promise });
  for await (const { step } of resets.request(resetOrder)) if (step === 'closing') break;
  t.throws(() => resets.requireIdle(), { code: 'ERR_RESET_BUSY' });
  await t.throwsAsync(all(resets.request(resetOrder)), { code: 'ERR_RESET_BUSY' });
  closed.resolve();
  t.is(await ended, 'restart');
  t.true(done.includes('wipe'));
});
