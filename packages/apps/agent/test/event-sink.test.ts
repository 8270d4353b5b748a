import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { EventSink, type PublishRequest } from '@nodecore/api/event';
import { parse, parseEventSink } from '@nodecore/config';
import * as pki from '@nodecore/pki';
import { Store } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { EventLog } from '../src/events/event-log.ts';
import { eventLog } from '../src/events/feature.ts';
import { eventSinkStatuses } from '../src/events/definitions.ts';
import type { NodeEvent } from '../src/events/event.ts';
import { Sink, type SinkParts } from '../src/events/sink.ts';
import { SinkConnection } from '../src/events/sink-connection.ts';
import { SinkCursor } from '../src/events/sink-cursor.ts';
import { eventSink } from '../src/events/sink-feature.ts';
import { imagePaths } from '../src/image/paths.ts';
import { kindOf } from '../src/resources/definitions.ts';

/** A receiver on loopback that keeps what it takes; `refuses` while it says so. */
async function receiver(t: ExecutionContext, { tls, port = 0 }: { tls?: pki.Identity; port?: number } = {}) {
  const taken: PublishRequest[] = [];
  const state = { refuses: false };
  const server = new Server();
  server.addService(EventSink, {
    publish: (
      { request }: { readonly request: PublishRequest },
      answer: (error: object | null, response?: object) => void,
    ) => {
      if (state.refuses)
        return answer({ code: status.RESOURCE_EXHAUSTED, details: 'the disk of events is full' });
      taken.push(request);
      answer(null, {});
    },
  });
  const credentials =
    tls === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(tls.crt), private_key: tls.key.bytes }]);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) =>
    error === null ? resolve(bound) : reject(error),
  );
  const bound = await promise;
  t.teardown(() => server.forceShutdown());
  return { port: bound, taken, state, server };
}

const task = (name: string) => ({ type: 'task', task: name, action: 'start' }) as const;
const namesOf = (taken: readonly PublishRequest[]): string[] =>
  taken.flatMap(({ events }) => events.map(({ data }) => data?.task?.task ?? ''));

function sending(
  t: ExecutionContext,
  text: string,
  { max, authorities }: { max?: number; authorities?: readonly string[] } = {},
) {
  const clock = new FakeClock();
  const events = new EventLog({ clock, bootId: 'boot', ...(max !== undefined && { max }) });
  const connection = new SinkConnection(parseEventSink(text)!, authorities);
  t.teardown(() => connection[Symbol.dispose]());
  const sink = new Sink({ events, clock, publish: (request, signal) => connection.publish(request, signal) });
  const stopping = new AbortController();
  const begin = (): Promise<void> => {
    const running = sink.run(stopping.signal);
    t.teardown(async () => {
      stopping.abort();
      clock.advance(2000);
      await running;
    });
    return running;
  };
  return { clock, events, sink, stopping, begin };
}

async function until(t: ExecutionContext, holds: () => boolean): Promise<void> {
  const limit = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > limit) return t.fail('not within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a receiver gets every event in its order, those from before it was there first', async (t) => {
  const { port, taken } = await receiver(t);
  const { events, begin, sink } = sending(t, `127.0.0.1:${port}`);
  for (let count = 0; count < 150; count += 1) events.emit(task(String(count)), 'me');
  void begin();
  await until(t, () => sink.sent === 150);
  const last = events.emit(task('150'));
  await until(t, () => sink.sent === 151);
  t.deepEqual(
    namesOf(taken),
    Array.from({ length: 151 }, (_, index) => String(index)),
  );
  t.true(taken.every(({ events: batch }) => batch.length <= 64));
  t.like(taken[0]?.events[0], { actorId: 'me', bootId: 'boot', lost: 0n });
  t.is(taken.at(-1)?.events[0]?.id, last.id);
  t.deepEqual([sink.waiting, sink.lost, sink.error], [0, 0, undefined]);
});

test('with grpcs:// only a receiver is believed whose certificate is trusted', async (t) => {
  const ca = await pki.createCA('events');
  const tls = await pki.issueServer(ca, { names: ['127.0.0.1'] });
  const { port, taken } = await receiver(t, { tls });
  const stranger = sending(t, `grpcs://127.0.0.1:${port}`);
  stranger.events.emit(task('a'));
  void stranger.begin();
  await until(t, () => stranger.sink.error !== undefined);
  t.regex(stranger.sink.error ?? '', /certificate|issuer/iu);
  t.deepEqual(taken, []);
  const trusting = sending(t, `grpcs://127.0.0.1:${port}`, { authorities: [ca.crt] });
  trusting.events.emit(task('b'));
  void trusting.begin();
  await until(t, () => trusting.sink.sent === 1);
  t.deepEqual(namesOf(taken), ['b']);
});

test('a receiver that refuses, or is away, gets the same events later; what memory dropped meanwhile is counted', async (t) => {
  const first = await receiver(t);
  const { events, begin, sink, clock } = sending(t, `127.0.0.1:${first.port}`, { max: 3 });
  first.state.refuses = true;
  void begin();
  events.emit(task('a'));
  await until(t, () => sink.error !== undefined);
  t.regex(sink.error ?? '', /the disk of events is full/u);
  first.state.refuses = false;
  clock.skip();
  await until(t, () => sink.sent === 1);
  t.is(sink.error, undefined);
  first.server.forceShutdown();
  events.emit(task('b'));
  await until(t, () => sink.error !== undefined);
  t.regex(sink.error ?? '', /UNAVAILABLE|CANCELLED/u);
  for (const each of 'cdefg') events.emit(task(each));
  const second = await receiver(t, { port: first.port });
  await until(t, () => {
    clock.skip();
    return sink.waiting === 0;
  });
  // What was on its way is not dropped.
  t.deepEqual(namesOf(second.taken), ['b', 'e', 'f', 'g']);
  t.deepEqual(
    second.taken.flatMap((request) => request.events.map(({ lost }) => lost)),
    [0n, 2n, 0n, 0n],
  );
  t.is(sink.lost, 2);
});

test('what is there when the agent ends is still sent, and a receiver that is not there keeps nobody for more than 2 s', async (t) => {
  const { port, taken } = await receiver(t);
  const one = sending(t, `127.0.0.1:${port}`);
  one.events.emit(task('a'));
  one.events.emit(task('b'));
  const running = one.begin();
  one.stopping.abort();
  await running;
  t.deepEqual(namesOf(taken), ['a', 'b']);
  const gone = sending(t, '127.0.0.1:1');
  gone.events.emit(task('a'));
  const left = gone.begin();
  gone.stopping.abort();
  await setImmediate();
  gone.clock.advance(2000);
  await left;
  t.is(gone.sink.sent, 0);
});

test('the kernel says who collects events until a configuration does, and the status says how far it is', async (t) => {
  const [early, late] = [await receiver(t), await receiver(t)];
  const path = join(await temporaryDirectory(t), 'cmdline');
  await writeFile(path, `quiet os.events.sink=127.0.0.1:${early.port}\n`);
  const clock = new FakeClock();
  const store = new Store({ clock });
  const events = new EventLog({ clock, bootId: 'boot' });
  events.setPast([]);
  const context = {
    path: async (name: string) => join(path, '..', name),
    options: { image: { ...imagePaths, kernelCommandLine: path } },
    log: pino({ level: 'silent' }),
    store,
    clock,
  };
  const life = eventSink.make((needed) => (needed === eventLog ? events : context));
  const stopping = new AbortController();
  const running = life.run?.(stopping.signal);
  t.teardown(async () => {
    stopping.abort();
    await running;
    const closing = life.close?.({ unmount: true });
    clock.advance(2000);
    await closing;
  });
  const statusNow = () => {
    clock.advance(2000);
    return store.get({ ...kindOf(eventSinkStatuses), id: 'sink' })?.spec;
  };
  events.emit(task('a'));
  await until(t, () => early.taken.length === 1);
  await until(t, () => JSON.stringify(statusNow()).includes('"sent":1'));
  t.deepEqual(statusNow(), { endpoint: `127.0.0.1:${early.port}`, sent: 1, waiting: 0, lost: 0, error: '' });
  const document = `apiVersion: v1alpha1\nkind: EventSinkConfig\nendpoint: 127.0.0.1:${late.port}\n`;
  using configuration = parse(document);
  t.deepEqual(configuration.warnings, []);
  await life.prepare?.({ configuration, previous: [] });
  events.emit(task('b'));
  await until(t, () => namesOf(late.taken).length === 2);
  t.deepEqual(namesOf(late.taken), ['a', 'b']);
  t.deepEqual(namesOf(early.taken), ['a']);
});

/** A run of the agent with a cursor in this directory, behind what was kept of runs before it. */
async function runWith(
  t: ExecutionContext,
  { path, port, past }: { path: string; port: number; past?: readonly NodeEvent[] },
) {
  const text = `127.0.0.1:${port}`;
  const clock = new FakeClock();
  const events = new EventLog({ clock, bootId: 'boot' });
  const connection = new SinkConnection(parseEventSink(text)!);
  t.teardown(() => connection[Symbol.dispose]());
  const cursor = new SinkCursor({
    receiver: text,
    path: async () => path,
    events,
    mayPastCome: () => true,
    clock,
  });
  const publish: SinkParts['publish'] = (request, signal) => connection.publish(request, signal);
  const sink = new Sink({ events, clock, publish, cursor });
  const stopping = new AbortController();
  const running = sink.run(stopping.signal);
  if (past !== undefined) events.setPast(past);
  clock.advance(200);
  const end = async (): Promise<void> => {
    stopping.abort();
    if (sink.waiting > 0) clock.advance(2000);
    await running;
  };
  t.teardown(end);
  return { events, sink, clock, end };
}

test('another run of the agent goes on behind the last event that was taken: none is missing, none comes twice', async (t) => {
  const { port, taken } = await receiver(t);
  const path = join(await temporaryDirectory(t), 'event-sink.json');
  const first = await runWith(t, { path, port, past: [] });
  const kept = ['a', 'b'].map((name) => first.events.emit(task(name)));
  await until(t, () => first.sink.sent === 2);
  await first.end();
  // Nobody sends any more: these are in the file of events alone, as when the agent is killed.
  kept.push(first.events.emit(task('c')), first.events.emit(task('d')));
  const second = await runWith(t, { path, port, past: kept });
  second.events.emit(task('e'));
  await until(t, () => namesOf(taken).length >= 5);
  await second.end();
  t.deepEqual(namesOf(taken), ['a', 'b', 'c', 'd', 'e']);
  t.is(second.sink.lost, 0);
});

test('what a receiver has not taken in the run that it was named in comes with the next one', async (t) => {
  const { port, taken, state } = await receiver(t);
  state.refuses = true;
  const path = join(await temporaryDirectory(t), 'event-sink.json');
  const first = await runWith(t, { path, port, past: [] });
  const kept = [first.events.emit(task('a'))];
  await until(t, () => first.sink.error !== undefined);
  await first.end();
  state.refuses = false;
  const second = await runWith(t, { path, port, past: kept });
  second.events.emit(task('b'));
  await until(t, () => namesOf(taken).length >= 2);
  t.deepEqual(namesOf(taken), ['a', 'b']);
});

test('events that are not kept any more are counted, and another receiver gets those of this run', async (t) => {
  const [one, other] = [await receiver(t), await receiver(t)];
  const path = join(await temporaryDirectory(t), 'event-sink.json');
  const before = await runWith(t, { path, port: one.port, past: [] });
  const kept = ['a', 'b', 'c'].map((name) => before.events.emit(task(name)));
  await until(t, () => before.sink.sent === 3);
  await before.end();
  const later = ['x', 'y'].map((name) => before.events.emit(task(name)));
  const gone = await runWith(t, { path, port: one.port, past: later });
  await until(t, () => namesOf(one.taken).length === 5);
  t.is(one.taken.at(-1)?.events[0]?.lost, 1n);
  t.is(gone.sink.lost, 1);
  await gone.end();
  const elsewhere = await runWith(t, { path, port: other.port, past: [...kept, ...later] });
  elsewhere.events.emit(task('z'));
  await until(t, () => other.taken.length > 0);
  t.deepEqual(namesOf(other.taken), ['z']);
});

test('a cursor that is torn, and a past that does not come, hold nothing back for long', async (t) => {
  const { port, taken } = await receiver(t);
  const path = join(await temporaryDirectory(t), 'event-sink.json');
  await writeFile(path, '{"receiver":"127.0.');
  const torn = await runWith(t, { path, port, past: [] });
  torn.events.emit(task('a'));
  await until(t, () => torn.sink.sent === 1);
  await torn.end();
  const { events, clock, end } = await runWith(t, { path, port });
  events.emit(task('b'));
  await until(t, () => {
    clock.advance(200);
    return namesOf(taken).length === 2;
  });
  await end();
  t.deepEqual(namesOf(taken), ['a', 'b']);
});
