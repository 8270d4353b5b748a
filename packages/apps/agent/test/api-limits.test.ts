import { once } from 'node:events';
import { gzipSync } from 'node:zlib';

import { ApplyMode, MachineService } from '@nodecore/api/machine';
import { ResourceService } from '@nodecore/api/resource';
import { status } from '@grpc/grpc-js';
import type { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import { disks } from '../src/discovery/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { CallBudget } from '../src/server/call-budget.ts';
import { certifiedLimits, type Limits, maintenanceLimits } from '../src/server/limits.ts';
import { RepeatedLines } from '../src/server/repeated-lines.ts';
import { apiNode, ca } from './api-node.ts';
import { callerWith } from './callers.ts';
import { rootDocument } from './documents.ts';
import { call, framed, identity, secured, session, statusOfCall } from './hostile-client.ts';

const configuration = { data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO };
const watchDisks = framed(ResourceService.watch.requestSerialize({ type: disks.type }));
const nothing = framed(new Uint8Array());

/** A configured node whose limits are lower. */
async function configured(
  t: ExecutionContext,
  calls: Partial<Limits['calls']>,
  connections: Partial<Limits['connections']> = {},
) {
  t.timeout(20_000); // without a limit its test would wait for ever
  const certified: Limits = {
    ...certifiedLimits,
    calls: { ...certifiedLimits.calls, ...calls },
    connections: { ...certifiedLimits.connections, ...connections },
  };
  const node = await apiNode(t, { limits: { certified } });
  await node.insecure().applyConfiguration(configuration);
  const as = async (role: string, options = {}) => {
    const made = session(node.address, await identity(ca, [role]), options);
    t.teardown(() => made.destroy());
    return made;
  };
  return { ...node, raw: as };
}

/** Resolves when a stream of answers has begun: it counts. */
async function running(stream: ReturnType<typeof call>): Promise<void> {
  await once(stream, 'response');
}

test('in maintenance 32 watches of anybody do not keep the configuration away', async (t) => {
  const { address, insecure } = await apiNode(t);
  const statuses: (number | undefined)[] = [];
  for (let each = 0; each < 8; each += 1) {
    const stranger = session(address);
    t.teardown(() => stranger.destroy());
    for (let watch = 0; watch < 4; watch += 1) {
      const stream = call(stranger, ResourceService.watch.path);
      stream.end(watchDisks);
      if (each < 6) await running(stream);
      else statuses.push(await statusOfCall(stream)); // one address has 24 calls
    }
  }
  t.deepEqual(new Set(statuses), new Set([status.RESOURCE_EXHAUSTED]));
  const limits = { maintenance: { ...maintenanceLimits, calls: { ...maintenanceLimits.calls, max: 0 } } };
  const full = await apiNode(t, { limits });
  await t.throwsAsync(full.insecure().version(), { code: 'ERR_API_EXHAUSTED' });
  t.true((await full.insecure().applyConfiguration(configuration)).durable);
  await t.throwsAsync(insecure().version(), { code: 'ERR_API_EXHAUSTED' });
});

test('in maintenance a connection has four streams, and each of them ends in time', async (t) => {
  const limits = {
    maintenance: { ...maintenanceLimits, calls: { ...maintenanceLimits.calls, maxStreamMs: 500 } },
  };
  const { address } = await apiNode(t, { limits });
  const stranger = session(address);
  t.teardown(() => stranger.destroy());
  const streams = Array.from({ length: 5 }, () => call(stranger, ResourceService.watch.path));
  for (const stream of streams) stream.end(watchDisks);
  const statuses = await Promise.all(streams.map(statusOfCall));
  t.deepEqual(
    statuses.toSorted((left = 0, right = 0) => left - right),
    [status.RESOURCE_EXHAUSTED, ...Array.from({ length: 4 }, () => status.UNAVAILABLE)],
  );
});

test('in maintenance a new connection takes the place of the oldest, even of one with calls', async (t) => {
  t.timeout(20_000);
  const connections = { ...maintenanceLimits.connections, max: 2, maxPerIdentity: 2 };
  const { address, insecure } = await apiNode(t, {
    limits: { maintenance: { ...maintenanceLimits, connections } },
  });
  const open = async () => {
    const stranger = session(address);
    t.teardown(() => stranger.destroy());
    const stream = call(stranger, ResourceService.watch.path);
    stream.end(watchDisks);
    await running(stream.resume());
    return stranger;
  };
  const first = await open();
  const second = await open();
  const gone = once(first, 'close');
  t.truthy((await insecure().version()).version);
  await gone;
  t.false(second.destroyed);
});

test('one reader does not take the calls of the others, and all readers not those of an administrator', async (t) => {
  const { as, raw } = await configured(t, { max: 4, reserved: 1, maxPerIdentity: 3 });
  const flood = async () => {
    const reader = await raw('os:reader');
    const streams = Array.from({ length: 3 }, () => call(reader, ResourceService.watch.path));
    for (const stream of streams) stream.end(watchDisks);
    return { reader, streams };
  };
  const first = await flood();
  await Promise.all(first.streams.map(running));
  const excess = call(first.reader, MachineService.version.path);
  excess.end(nothing);
  t.is(await statusOfCall(excess), status.RESOURCE_EXHAUSTED);
  const other = await as(['os:reader']);
  await other.version();
  const second = await flood();
  await Promise.any(second.streams.map(running));
  await t.throwsAsync((await as(['os:reader'])).version(), { code: 'ERR_API_EXHAUSTED' });
  t.truthy((await (await as(['os:admin'])).version()).version);
});

test('calls whose request never comes take nothing from others, and end', async (t) => {
  const { as, raw, lines } = await configured(t, { max: 2, requestMs: 1_000, maxPerIdentity: 8 });
  const reader = await raw('os:reader');
  const halves = Array.from({ length: 8 }, () => call(reader, ResourceService.watch.path));
  for (const half of halves) half.write(watchDisks.subarray(0, 3));
  t.truthy((await (await as(['os:reader'])).version()).version);
  const statuses = await Promise.all(halves.map(statusOfCall));
  t.deepEqual(new Set(statuses), new Set([status.DEADLINE_EXCEEDED]));
  t.true(lines.some((line) => line.includes('ERR_SERVER_TIMEOUT')));
});

test('a request that came while the loop stood still is served', async (t) => {
  const requestMs = 500;
  const { raw } = await configured(t, { requestMs });
  const reader = await raw('os:reader');
  const [late, other] = [
    call(reader, MachineService.version.path),
    call(reader, MachineService.version.path),
  ];
  other.end(nothing);
  t.is(await statusOfCall(other), status.OK); // the node has seen that the first one began, too
  // From a timer: those that are over meanwhile come before anything is read.
  setTimeout(() => {
    late.end(nothing);
    for (const begun = performance.now(); performance.now() - begun < 1.2 * requestMs;);
  }, 1);
  t.is(await statusOfCall(late), status.OK);
});

test('a reader that takes nothing is hung up on, and the log says why', async (t) => {
  const { raw, store, lines } = await configured(t, { stallMs: 50 });
  for (let each = 0; each < 100; each += 1)
    store.create({ ...kindOf(disks), id: `disk${each}` }, { padding: 'x'.repeat(2000) });
  const reader = await raw('os:reader', { settings: { initialWindowSize: 0 } });
  const stream = call(reader, ResourceService.watch.path);
  stream.end(watchDisks);
  const [, , reason] = (await once(reader, 'goaway')) as [number, number, Buffer];
  t.is(String(reason), 'slow-reader');
  if (!reader.destroyed) await once(reader, 'close');
  t.true(lines.some((line) => line.includes('slow-reader')));
});

/** Hangs up on who resets calls, and lets it in again when the clock says that it is over. */
async function keepsAway(t: ExecutionContext, pass: (clock: FakeClock) => void): Promise<void> {
  const { address, raw, as, lines, clock } = await configured(t, {}, { resets: { burst: 20, perSecond: 0 } });
  const credentials = await identity(ca, ['os:reader']);
  const reader = session(address, credentials);
  t.teardown(() => reader.destroy());
  await once(reader, 'connect');
  const gone = once(reader, 'close');
  for (let each = 0; each < 60 && !reader.destroyed; each += 1) {
    const stream = call(reader, ResourceService.watch.path).resume();
    await Promise.race([gone, new Promise((resolve) => reader.ping(resolve))]); // it is there
    stream.destroy(new Error('reset'));
  }
  await gone;
  const again = secured(address, credentials);
  again.on('error', () => {});
  await once(again.resume(), 'close');
  t.truthy((await (await as(['os:admin'])).version()).version);
  t.true(lines.some((line) => line.includes('penalised')));
  const own = lines.filter((line) => line.includes('CANCELLED'));
  t.true(own.length <= 1, own.join(''));
  pass(clock);
  const later = session(address, credentials);
  t.teardown(() => later.destroy());
  const stream = call(later, MachineService.version.path);
  stream.end(nothing);
  t.is(await statusOfCall(stream), status.OK);
  t.truthy(raw);
}

test('who opens calls and resets them is hung up on and kept away for a while; the log stays short', async (t) => {
  await keepsAway(t, (clock) => clock.advance(10_000));
});

test('a clock that is set back keeps nobody away for longer', async (t) => {
  await keepsAway(t, (clock) => clock.setBack(3_600_000));
});

test('a connection ends when its certificate does, and when it has had no call for long', async (t) => {
  const { address, clock, lines } = await configured(t, {});
  const dayMs = 86_400_000;
  const { crt, key } = await identity(ca, ['os:reader'], { nowMs: Date.now(), lifetimeMs: dayMs });
  const reader = session(address, { crt, key });
  t.teardown(() => reader.destroy());
  const watch = call(reader, ResourceService.watch.path);
  watch.end(watchDisks);
  await running(watch.resume());
  const idle = session(
    address,
    await identity(ca, ['os:reader'], { nowMs: Date.now(), lifetimeMs: 10_000 * dayMs }),
  );
  t.teardown(() => idle.destroy());
  const quick = call(idle, MachineService.version.path);
  quick.end(nothing);
  await statusOfCall(quick);
  const [expired, bored] = [once(reader, 'close'), once(idle, 'close')];
  clock.advance(Date.now() + 2 * dayMs - clock.now());
  await Promise.all([expired, bored]);
  t.true(lines.some((line) => line.includes('certificate-expired')));
  t.true(lines.some((line) => line.includes('"reason":"idle"')));
});

test('a certificate has a number of connections, and the idle ones of it go first', async (t) => {
  const { address, lines } = await configured(t, {}, { maxPerIdentity: 2 });
  const credentials = await identity(ca, ['os:reader']);
  const open = async (isBusy: boolean) => {
    const made = session(address, credentials);
    t.teardown(() => made.destroy());
    const stream = call(made, isBusy ? ResourceService.watch.path : MachineService.version.path);
    stream.end(isBusy ? watchDisks : nothing);
    await (isBusy ? running(stream.resume()) : statusOfCall(stream));
    return made;
  };
  const busy = await open(true);
  const idle = await open(false);
  const gone = once(idle, 'close');
  const third = await open(true);
  await gone;
  const refused = session(address, credentials);
  await once(refused, 'close');
  t.false(busy.destroyed);
  t.false(third.destroyed);
  t.true(lines.some((line) => line.includes('identity-full')));
});

test('bytes that are no request, and none at all, are INVALID_ARGUMENT, and too many too much', async (t) => {
  const { raw } = await configured(t, {});
  const reader = await raw('os:reader');
  const ask = (bytes: Buffer, headers = {}): Promise<number | undefined> => {
    const stream = call(reader, ResourceService.get.path, headers);
    stream.end(bytes);
    return statusOfCall(stream);
  };
  t.is(await ask(framed(Buffer.from([0x0a, 0x7f, 0x01]))), status.INVALID_ARGUMENT);
  t.is(await ask(Buffer.alloc(0)), status.INVALID_ARGUMENT);
  t.is(await ask(framed(Buffer.alloc(1 << 20, 0x0b))), status.INVALID_ARGUMENT); // groups in groups
  t.is(await ask(framed(Buffer.alloc(3 << 20))), status.RESOURCE_EXHAUSTED);
  const bomb = framed(gzipSync(Buffer.alloc(64 << 20)), 1);
  t.is(await ask(bomb, { 'grpc-encoding': 'gzip' }), status.RESOURCE_EXHAUSTED);
});

test('a packed request that can not be unpacked, and a timeout that is none, are INVALID_ARGUMENT', async (t) => {
  const { raw, lines } = await configured(t, {});
  const reader = await raw('os:reader');
  const ask = (bytes: Buffer, headers: Record<string, string>): Promise<number | undefined> => {
    const stream = call(reader, MachineService.version.path, headers);
    stream.end(bytes);
    return statusOfCall(stream);
  };
  const packed = gzipSync(Buffer.alloc(0));
  const gzip = { 'grpc-encoding': 'gzip' };
  t.is(await ask(framed(packed, 1), gzip), status.OK);
  t.is(await ask(framed(Buffer.from('no gzip at all'), 1), gzip), status.INVALID_ARGUMENT);
  t.is(await ask(framed(packed.subarray(0, 12), 1), gzip), status.INVALID_ARGUMENT);
  t.is(await ask(framed(packed, 1), { 'grpc-encoding': 'deflate' }), status.INVALID_ARGUMENT);
  t.is(await ask(framed(packed, 1), { 'grpc-encoding': 'snappy' }), status.UNIMPLEMENTED);
  for (const timeout of ['', 'soon', '5', '-5S', '5 S', '123456789S', '1.5S', '5X', '5S, 6S'])
    t.is(await ask(nothing, { 'grpc-timeout': timeout }), status.INVALID_ARGUMENT, timeout);
  for (const timeout of ['5S', '99999999H', '00000030M'])
    t.is(await ask(nothing, { 'grpc-timeout': timeout }), status.OK, timeout);
  t.is(await ask(nothing, { 'nodecore-early-fault': 'mine' }), status.OK);
  t.true(lines.some((line) => line.includes('INVALID_ARGUMENT')));
  t.false(lines.some((line) => line.includes('CANCELLED') || line.includes('INTERNAL')));
});

test('a stream whose end the caller never says is closed when it was answered', async (t) => {
  const { raw } = await configured(t, { requestMs: 20 });
  const stream = call(await raw('os:reader'), MachineService.version.path);
  t.is(await statusOfCall(stream), status.DEADLINE_EXCEEDED);
  if (!stream.closed) await once(stream, 'close');
  t.is(stream.rstCode, 0);
});

test('what a call has taken it gives back once', (t) => {
  const limits = { ...certifiedLimits.calls, max: 1, reserved: 1, maxPerIdentity: 2 };
  const budget = new CallBudget(limits);
  const arrive = (role: string) =>
    budget.arrive({
      caller: callerWith(role),
      connection: undefined,
      isReserved: role === 'os:admin',
      isStream: false,
    });
  const first = arrive('os:reader');
  first.run();
  const second = arrive('os:reader');
  t.throws(() => second.run(), { code: 'ERR_SERVER_BUSY' });
  t.throws(() => arrive('os:reader'), { code: 'ERR_SERVER_BUSY' });
  const admin = arrive('os:admin');
  admin.run();
  t.is(budget.running, 2);
  t.throws(() => arrive('os:admin').run(), { code: 'ERR_SERVER_BUSY' });
  second.end();
  second.end();
  first.end();
  admin.end();
  t.is(budget.running, 0);
  t.notThrows(() => arrive('os:reader').run());
});

test('lines of one kind are written once and then counted, and kinds without end are not kept', (t) => {
  const written: Record<string, unknown>[] = [];
  const take = (fields: object, msg: string): void => void written.push({ ...fields, msg });
  const lines = new RepeatedLines({ info: take, warn: take });
  for (let each = 1; each <= 1000; each += 1)
    lines.write('info', 'call', 'one', { method: 'm', durationMs: 1 }, each);
  lines.flush();
  t.deepEqual(written, [
    { method: 'm', durationMs: 1, msg: 'call' },
    { method: 'm', maxMs: 1000, repeated: 999, withinMs: 10_000, msg: 'call' },
  ]);
  for (let each = 0; each < 10_000; each += 1) lines.write('info', 'call', `kind ${each}`, {});
  lines.close();
  t.is(written.length, 2 + 255 + 1);
  t.like(written.at(-1), { repeated: 10_000 - 255, msg: 'lines of other kinds' });
});

test('of lines that are counted the ids of the newest failed calls are told, each once', (t) => {
  const written: object[] = [];
  const take = (fields: object): void => void written.push(fields);
  const lines = new RepeatedLines({ info: take, warn: take });
  for (let each = 1; each <= 20; each += 1) lines.write('warn', 'call', 'failed', { requestId: `r${each}` });
  for (let each = 1; each <= 2; each += 1) lines.write('info', 'call', 'fine', { requestId: 'fine' });
  lines.flush();
  lines.write('warn', 'call', 'failed', { requestId: 'r21' });
  lines.close();
  const newest = Array.from({ length: 16 }, (_, index) => `r${index + 5}`);
  t.deepEqual(written, [
    { requestId: 'r1' },
    { requestId: 'fine' },
    { requestIds: newest, repeated: 19, withinMs: 10_000 },
    { repeated: 1, withinMs: 10_000 },
    { requestIds: ['r21'], repeated: 1, withinMs: 10_000 },
  ]);
});
