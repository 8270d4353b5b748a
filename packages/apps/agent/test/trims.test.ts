import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { planTrim } from '@nodecore/trim';
import test from 'ava';

import type { TrimEvent } from '../src/trims/trim-event.ts';
import { TrimNode, until } from './fake-disk-trims.ts';

const hourMs = 3_600_000;
const weekMs = 168 * hourMs;
const weekly = (...ids: readonly string[]) => new Map(ids.map((id) => [id, weekMs]));

/** The next slot of a volume, as the schedule computes it. */
function nextSlot(node: TrimNode, volumeId: string, intervalMs = weekMs): number {
  const nowMs = node.clock.now();
  return planTrim({
    nodeId: 'test-node-id',
    volumeId,
    intervalMs,
    nowMs,
    watchedSinceMs: nowMs,
    handledMs: nowMs,
  }).atMs;
}

/** Lets time pass hour by hour, as a sleeper would be woken; before and after it the schedule has looked, and rests. */
async function passTo(node: TrimNode, atMs: number): Promise<void> {
  const rests = (): boolean => node.clock.sleepers > 0;
  await until(rests);
  while (node.clock.now() < atMs) {
    node.clock.advance(Math.min(hourMs, atMs - node.clock.now()));
    await until(rests);
  }
}

async function reading(events: AsyncIterable<TrimEvent>): Promise<TrimEvent[]> {
  const all: TrimEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const never = new AbortController().signal;

test('a volume is trimmed at its slot, and the status tells of it before, meanwhile and after', async (t) => {
  const node = await TrimNode.start(t, ['u-data']);
  const at = nextSlot(node, 'u-data');
  await node.trims.configure(weekly('u-data'));
  await until(() => node.status('u-data')['next'] !== undefined);
  t.like(node.status('u-data'), {
    phase: 'scheduled',
    next: new Date(at).toISOString(),
    nextReason: 'slot',
    intervalSeconds: weekMs / 1000,
    disks: ['sda'],
  });
  await passTo(node, at - 1);
  t.false(node.isTrimming('u-data'));
  await passTo(node, at);
  await until(() => node.isTrimming('u-data'));
  t.like(node.status('u-data'), { phase: 'trimming', trigger: 'slot', last: { outcome: 'running' } });
  node.step('u-data');
  await until(() => node.isTrimming('u-data'));
  node.clock.advance(2000);
  node.step('u-data', true);
  await until(() => node.status('u-data')['phase'] === 'scheduled');
  t.like(node.status('u-data'), {
    next: new Date(at + weekMs).toISOString(),
    last: {
      outcome: 'done',
      trigger: 'slot',
      ranges: 2,
      trimmedBytes: 2n,
      durationMs: 2000,
      started: new Date(at).toISOString(),
    },
  });
  t.deepEqual(node.begun, ['u-data']);
});

test('a slot that passed while the agent was down is caught up, once, and not at once', async (t) => {
  const node = await TrimNode.start(t, ['u-data']);
  await node.trims.configure(weekly('u-data'));
  await until(() => node.status('u-data')['next'] !== undefined);
  const missed = nextSlot(node, 'u-data');
  await node.stop();
  node.clock.advance(missed + hourMs - node.clock.now());
  const bootMs = node.clock.now();
  await node.boot().configure(weekly('u-data'));
  await until(() => node.status('u-data')['nextReason'] === 'missed');
  const at = Date.parse(String(node.status('u-data')['next']));
  t.true(at >= bootMs + 15 * 60_000 && at <= bootMs + 7 * hourMs);
  // A boot in between does not draw the moment anew.
  await node.stop();
  node.clock.advance(60_000);
  await node.boot().configure(weekly('u-data'));
  await until(() => node.status('u-data')['next'] !== undefined);
  const again = Date.parse(String(node.status('u-data')['next']));
  t.true(again === at || again <= node.clock.now() + 31 * 60_000);
  await passTo(node, again);
  await until(() => node.isTrimming('u-data'));
  node.step('u-data', true);
  await until(() => node.status('u-data')['nextReason'] === 'slot');
  t.deepEqual(node.begun, ['u-data']);
});

test('a trim that a shutdown ended begins again after the boot', async (t) => {
  const node = await TrimNode.start(t, ['u-data']);
  await node.trims.configure(weekly('u-data'));
  await until(() => node.status('u-data')['next'] !== undefined);
  await passTo(node, nextSlot(node, 'u-data'));
  await until(() => node.isTrimming('u-data'));
  await node.stop();
  node.clock.advance(60_000);
  await node.boot().configure(weekly('u-data'));
  await until(() => node.status('u-data')['nextReason'] === 'missed');
  t.like(node.status('u-data'), { last: { outcome: 'interrupted', trigger: 'slot' } });
});

test('a trim in which the node goes down every time waits for its next slot after the third', async (t) => {
  const node = await TrimNode.start(t, ['u-data']);
  await node.trims.configure(weekly('u-data'));
  await until(() => node.status('u-data')['next'] !== undefined);
  for (let crashes = 0; crashes < 3; crashes += 1) {
    await passTo(node, Date.parse(String(node.status('u-data')['next'])));
    await until(() => node.isTrimming('u-data'));
    node.crash();
    node.clock.advance(60_000);
    await node.boot().configure(weekly('u-data'));
    await until(() => node.status('u-data')['phase'] === 'scheduled');
    t.like(node.status('u-data'), {
      last: { outcome: 'interrupted' },
      nextReason: crashes < 2 ? 'missed' : 'slot',
    });
  }
  t.is(node.begun.length, 3);
});

test('one disk trims one volume after the other; another disk does not wait for it', async (t) => {
  const node = await TrimNode.start(t, ['u-a', 'u-b', 'u-c']);
  node.disks.set('u-c', { disks: ['sdb'] });
  await node.trims.configure(new Map(['u-a', 'u-b', 'u-c'].map((id) => [id, undefined])));
  const events = reading(node.trims.request([], { dryRun: false, signal: never }));
  await until(() => node.isTrimming('u-a') && node.isTrimming('u-c'));
  t.false(node.isTrimming('u-b'));
  t.is(node.status('u-b')['phase'], 'queued');
  node.step('u-a', true);
  await until(() => node.isTrimming('u-b'));
  node.step('u-b', true);
  node.step('u-c', true);
  const last = new Map((await events).map((event) => [event.volume, event.state]));
  t.deepEqual([...last.values()], ['done', 'done', 'done']);
  t.true((await events).some(({ volume, state }) => volume === 'u-b' && state === 'queued'));
});

test('a volume that can not be trimmed is skipped with the reason, and trimmed once it can be', async (t) => {
  const node = await TrimNode.start(t, ['u-data']);
  node.disks.set('u-data', { disks: ['sda'], skip: 'encryption' });
  await node.trims.configure(weekly('u-data'));
  await until(() => node.status('u-data')['phase'] === 'skipped');
  t.like(node.status('u-data'), { skipped: 'encryption', skippedMessage: 'u-data: encryption' });
  await passTo(node, nextSlot(node, 'u-data') + hourMs);
  t.deepEqual(node.begun, []);
  t.deepEqual(
    (await reading(node.trims.request(['u-data'], { dryRun: false, signal: never }))).map(
      ({ state, code }) => [state, code],
    ),
    [['skipped', 'encryption']],
  );
  node.unmount('u-data');
  await until(() => node.status('u-data')['skipped'] === 'not-mounted');
  node.disks.set('u-data', { disks: ['sda'] });
  node.mount('u-data'); // opened with allowDiscards
  await until(() => node.isTrimming('u-data'));
  node.step('u-data', true);
  await until(() => node.status('u-data')['phase'] === 'scheduled');
});

test('what fails for a reason that time mends is tried again, then waits for its slot; the rest waits at once', async (t) => {
  const node = await TrimNode.start(t, ['u-data']);
  node.disks.set('u-data', { disks: ['sda'], fail: 'ERR_TRIM_DEVICE' });
  await node.trims.configure(weekly('u-data'));
  await until(() => node.status('u-data')['next'] !== undefined);
  const slot = nextSlot(node, 'u-data');
  await passTo(node, slot);
  for (let tries = 1; tries <= 4; tries += 1) {
    await until(() => node.isTrimming('u-data'));
    node.step('u-data');
    await until(() => node.status('u-data')['phase'] === 'scheduled');
    t.like(node.status('u-data'), {
      last: { outcome: 'failed', errorCode: 'ERR_TRIM_DEVICE', permanence: 'transient' },
    });
    const next = Date.parse(String(node.status('u-data')['next']));
    t.is(next > slot + 3 * hourMs, tries === 4);
    await passTo(node, next);
  }
  await until(() => node.isTrimming('u-data'));
  node.disks.set('u-data', { disks: ['sda'], fail: 'ERR_TRIM_UNSUPPORTED' });
  node.step('u-data', true);
  await until(() => node.status('u-data')['phase'] === 'scheduled');
});

test('a request ends when nobody reads of it any more; one that the schedule began goes on', async (t) => {
  const node = await TrimNode.start(t, ['u-data']);
  await node.trims.configure(weekly('u-data'));
  await until(() => node.status('u-data')['next'] !== undefined);
  const gone = new AbortController();
  const asked = reading(node.trims.request(['u-data'], { dryRun: false, signal: gone.signal }));
  await until(() => node.isTrimming('u-data'));
  gone.abort();
  await asked;
  await until(() => node.status('u-data')['phase'] === 'scheduled');
  t.like(node.status('u-data'), { last: { outcome: 'aborted', trigger: 'request' } });

  await passTo(node, nextSlot(node, 'u-data'));
  await until(() => node.isTrimming('u-data'));
  const also = new AbortController();
  const reader = reading(node.trims.request(['u-data'], { dryRun: false, signal: also.signal }));
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  also.abort();
  await reader;
  t.true(node.isTrimming('u-data'));
  node.step('u-data', true);
  await until(() => node.status('u-data')['phase'] === 'scheduled');
  t.like(node.status('u-data'), { last: { outcome: 'done', trigger: 'slot' } });
});

test('a dry run says what would be done and does nothing; an unknown volume is not found', async (t) => {
  const node = await TrimNode.start(t, ['u-a', 'u-b']);
  node.disks.set('u-b', { disks: [], skip: 'read-only' });
  await node.trims.configure(
    new Map([
      ['u-a', undefined],
      ['u-b', undefined],
    ]),
  );
  const events = await reading(node.trims.request([], { dryRun: true, signal: never }));
  t.deepEqual(
    events.map(({ volume, state, message }) => [volume, state, message]),
    [
      ['u-a', 'planned', 'would trim 4.3 GB on sda'],
      ['u-b', 'skipped', 'u-b: read-only'],
    ],
  );
  t.deepEqual(node.begun, []);
  t.throws(() => node.trims.request(['u-x'], { dryRun: true, signal: never }), {
    code: 'ERR_VOLUME_NOT_FOUND',
  });
  await until(() => node.status('u-a')['phase'] === 'off');
});

test('a volume that leaves the configuration is let go before it is unmounted', async (t) => {
  const node = await TrimNode.start(t, ['u-a', 'u-b']);
  await node.trims.configure(weekly('u-a', 'u-b'));
  const asked = reading(node.trims.request(['u-a'], { dryRun: false, signal: never }));
  await until(() => node.isTrimming('u-a'));
  await node.trims.configure(weekly('u-b'));
  t.false(node.isTrimming('u-a'));
  t.like((await asked).at(-1), { state: 'failed', code: 'ERR_TRIM_ABORTED' });
  await until(
    () =>
      node.store.list({ namespace: 'runtime', type: 'VolumeTrimStatuses.block.nodecore.dev' }).resources
        .length === 1,
  );
});

test('records that can not be read, or are none, cost nothing but the memory', async (t) => {
  for (const text of ['{"u-data": {"handledMs": "x"}}', '[]', 'not JSON', '{"u-data": null}']) {
    const node = await TrimNode.start(t, ['u-data']);
    await writeFile(join(node.directory, 'trims.json'), text);
    await node.trims.configure(weekly('u-data'));
    await until(() => node.status('u-data')['nextReason'] === 'slot');
    const written = JSON.parse(await readFile(join(node.directory, 'trims.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    t.deepEqual(written['u-data'], { handledMs: node.clock.now(), attempts: 0 });
  }
});

test('a clock that was ahead of the truth does not put off trims for ever', async (t) => {
  const node = await TrimNode.start(t, ['u-data']);
  const future = { handledMs: node.clock.now() + 20 * 365 * 24 * hourMs, attempts: 0 };
  await writeFile(join(node.directory, 'trims.json'), JSON.stringify({ 'u-data': future }));
  await node.trims.configure(weekly('u-data'));
  await until(() => node.status('u-data')['next'] !== undefined);
  t.is(Date.parse(String(node.status('u-data')['next'])), nextSlot(node, 'u-data'));
});
