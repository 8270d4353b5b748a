import { setImmediate } from 'node:timers/promises';

import { ApiError, followEvents } from '@nodecore/api';
import type { EventsRequestInit, EventsResponse, NodeEvent as WireEvent } from '@nodecore/api/event';
import { ApplyMode } from '@nodecore/api/machine';
import { Store } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import { EventIds, isEventId } from '../src/events/event-ids.ts';
import { EventLog } from '../src/events/event-log.ts';
import { machineStatuses } from '../src/lifecycle/definitions.ts';
import { observeMachine } from '../src/lifecycle/observe-machine.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

function logOf(max?: number): { readonly log: EventLog; readonly clock: FakeClock } {
  const clock = new FakeClock();
  return { log: new EventLog({ clock, bootId: 'boot', ...(max !== undefined && { max }) }), clock };
}

const task = (name: string) => ({ type: 'task', task: name, action: 'start' }) as const;

test('ids grow with each event, also when the clock is set back or stands still', (t) => {
  const ids = new EventIds();
  const times = [5, 5, 5, 1_000_000, 3, 1_764_000_000_000, 0, -1, 1_764_000_000_001];
  const made = times.map((time) => ids.next(time));
  for (const _ of Array.from({ length: 70_000 })) made.push(ids.next(1_764_000_000_001));
  t.true(made.every((id) => isEventId(id)));
  t.is(new Set(made).size, made.length);
  t.deepEqual(made, made.toSorted());
});

test('ids of a boot whose clock is wrong are larger than those of the past, from the moment that it is known', (t) => {
  const before = logOf();
  before.clock.advance(1_764_000_000_000);
  const past = [before.log.emit(task('a')), before.log.emit(task('b'))];
  const { log } = logOf();
  const early = log.emit(task('c'));
  log.setPast(past);
  const late = log.emit(task('d'));
  t.true(late.id > past[1]!.id);
  const { events } = log.from(log.placeOf({ tail: -1 }));
  t.deepEqual(
    events.map(({ id }) => id),
    [...past.map(({ id }) => id), early.id, late.id],
  );
  t.deepEqual(
    log.from(log.placeOf({ since: past[1]!.id })).events,
    [early, late],
    'the place counts, not the id',
  );
  t.throws(() => log.setPast([]), { instanceOf: TypeError });
});

test('an answer begins with what was asked for of the past', (t) => {
  const { log, clock } = logOf();
  const names = (place: number): string[] =>
    log.from(place).events.map(({ data }) => (data.type === 'task' ? data.task : ''));
  const a = log.emit(task('a'));
  clock.advance(60_000);
  log.emit(task('b'));
  log.emit(task('c'));
  t.deepEqual(names(log.placeOf({})), []);
  t.deepEqual(names(log.placeOf({ tail: 2 })), ['b', 'c']);
  t.deepEqual(names(log.placeOf({ tail: 9 })), ['a', 'b', 'c']);
  t.deepEqual(names(log.placeOf({ seconds: 30 })), ['b', 'c']);
  t.deepEqual(names(log.placeOf({ seconds: 3600 })), ['a', 'b', 'c']);
  clock.advance(60_000);
  t.deepEqual(names(log.placeOf({ seconds: 30 })), []);
  t.deepEqual(names(log.placeOf({ since: a.id })), ['b', 'c']);
});

test('an event that nobody knows is gone, or early while the past is not known', (t) => {
  const { log } = logOf(2);
  const first = log.emit(task('a'));
  const unknown = '0'.repeat(20);
  t.is(codeOf(t.throws(() => log.placeOf({ since: unknown }, true))), 'ERR_EVENT_EARLY');
  t.is(codeOf(t.throws(() => log.placeOf({ since: unknown }, false))), 'ERR_EVENT_GONE');
  log.setPast([]);
  t.is(codeOf(t.throws(() => log.placeOf({ since: unknown }, true))), 'ERR_EVENT_GONE');
  log.emit(task('b'));
  const oldest = log.emit(task('c'));
  t.is(log.from(0).events.length, 2);
  t.is(log.from(0).lost, 1);
  const gone = t.throws(() => log.placeOf({ since: first.id }));
  t.is(codeOf(gone), 'ERR_EVENT_GONE');
  t.notRegex(gone?.message ?? '', new RegExp(oldest.id), 'the oldest is the one before it');
});

async function configured(t: ExecutionContext, options: Parameters<typeof apiNode>[1] = {}) {
  const node = await apiNode(t, options);
  await node.insecure().applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
  return node;
}

async function drain(answers: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of answers);
}

test('readers and strangers before the first configuration get events; nobody else', async (t) => {
  const node = await apiNode(t);
  node.events.emit(task('early'));
  const past = { tailEvents: -1, pastOnly: true };
  const taken: string[] = [];
  for await (const { events } of node.insecure().events(past))
    taken.push(...events.map((each) => each.data?.task?.task ?? ''));
  t.true(taken.includes('early'));
  await node.insecure().applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
  await t.notThrowsAsync(drain((await node.as(['os:reader'])).events(past)));
  await t.throwsAsync(drain((await node.as(['os:capture'])).events(past)), { code: 'ERR_API_DENIED' });
});

async function next(answers: AsyncIterator<EventsResponse>): Promise<EventsResponse> {
  const { done, value } = await answers.next();
  if (done === true) throw new Error('the stream is over');
  return value;
}

/** Answers without events tell only how far the node has looked. */
async function nextWanted(answers: AsyncIterator<EventsResponse>): Promise<EventsResponse> {
  for (;;) {
    const answer = await next(answers);
    if (answer.events.length > 0) return answer;
  }
}

test('a caller gets the past and then what happens, and what one call has caused alone', async (t) => {
  const { as, events } = await configured(t);
  const reader = await as(['os:reader']);
  events.emit(task('a'), 'me');
  events.emit(task('b'), 'you');
  const answers = reader.events({ tailEvents: -1, withActorId: 'me' });
  const first: AsyncIterator<EventsResponse> = answers[Symbol.asyncIterator]();
  t.deepEqual((await next(first)).events, []);
  t.deepEqual(
    (await nextWanted(first)).events.map(({ data }) => data?.task?.task),
    ['a'],
  );
  events.emit(task('c'), 'you');
  const last = events.emit(task('d'), 'me');
  const value = await nextWanted(first);
  t.deepEqual(
    value.events.map(({ id, bootId, actorId }) => [id, bootId, actorId]),
    [[last.id, 'boot', 'me']],
  );
  t.is(value.cursor, last.id);
  await first.return?.();
});

test('a caller is told how far the node has looked, also where it wants nothing of it', async (t) => {
  t.timeout(20_000);
  const { as, events } = await configured(t);
  const reader = await as(['os:reader']);
  for (const tailEvents of [0, 1, -1]) {
    const answers = reader.events({ tailEvents, withActorId: 'me' })[Symbol.asyncIterator]();
    let answer = await next(answers);
    let foreign = '';
    for (let each = 0; each < 200; each += 1) foreign = events.emit(task('a'), 'you').id;
    while (answer.cursor < foreign) answer = await next(answers);
    t.deepEqual(answer.events, []);
    await answers.return?.();
  }
});

test('who waits for one call goes on after a lost connection, whatever others have caused meanwhile', async (t) => {
  t.timeout(20_000);
  for (const tailEvents of [0, 1, -1]) {
    const { as, events: log } = await configured(t, { maxEvents: 50 });
    log.setPast([]);
    log.emit(task('before'), 'you');
    const reader = await as(['os:reader']);
    const asked: EventsRequestInit[] = [];
    async function* events(request: EventsRequestInit): AsyncGenerator<EventsResponse, void, void> {
      asked.push(request);
      let [foreign, rounds] = ['', 10];
      for await (const answer of reader.events(request)) {
        yield answer;
        if (asked.length > 1 || answer.cursor < foreign) continue;
        if (rounds === 0) throw new ApiError('ERR_API_UNREACHABLE', 'lost', { endpoint: 'node' });
        rounds -= 1;
        for (let each = 0; each < 20; each += 1) foreign = log.emit(task('foreign'), 'you').id;
      }
    }
    const clock = { now: () => 0, sleep: async () => void log.emit(task('mine'), 'me') };
    const request = { tailEvents, withActorId: 'me' };
    for await (const found of followEvents({ events }, request, { clock })) {
      if (found.length === 0) continue;
      t.deepEqual(
        found.map(({ data }) => data?.task?.task),
        ['mine'],
      );
      break;
    }
    t.is(asked.length, 2);
    t.truthy(asked[1]?.tailId);
  }
});

test('contradictions and what is no id are refused by name', async (t) => {
  const { as, events } = await configured(t);
  const reader = await as(['os:reader']);
  const refused = async (
    request: EventsRequestInit,
    message: RegExp,
    code = 'ERR_API_INVALID',
  ): Promise<void> => {
    await t.throwsAsync(reader.events(request)[Symbol.asyncIterator]().next(), { code, message });
  };
  await refused({ tailEvents: 1, tailSeconds: 1 }, /three ways/u);
  await refused({ tailEvents: -2 }, /-1, 0 or more/u);
  await refused({ tailId: '../..' }, /no id/u);
  events.setPast([]);
  await refused({ tailId: 'f'.repeat(20) }, /there is no event f{20} any more/u, 'ERR_API_BOOKMARK');
});

test('a reader that falls behind the memory of the node gets an error, and never a gap', async (t) => {
  const { as, events } = await configured(t, { maxEvents: 100 });
  const reader = await as(['os:reader']);
  const text = 'x'.repeat(4000);
  const stream = reader.events({ tailEvents: -1 })[Symbol.asyncIterator]();
  await stream.next();
  const seen: number[] = [];
  let count = 0;
  const error = await t.throwsAsync(async () => {
    for (;;) {
      // More than what the connection holds, again and again, while nobody reads.
      for (let batch = 0; batch < 500; batch += 1) {
        events.emit(task(`${count++} ${text}`));
        if (batch % 50 === 0) await setImmediate();
      }
      const { value } = await stream.next();
      seen.push(
        ...(value?.events ?? []).map(({ data }: WireEvent) => Number.parseInt(data?.task?.task ?? '', 10)),
      );
    }
  });
  t.is((error as ApiError).code, 'ERR_API_BOOKMARK', error?.message);
  t.regex(error?.message ?? '', /too slow: \d+ events/u);
  const numbers = seen.filter((number) => !Number.isNaN(number));
  t.deepEqual(
    numbers,
    numbers.map((_, index) => numbers[0]! + index),
    'what was read has no gap',
  );
});

const asAnswer = (answer: object): never => answer as never;

/** A node whose connections end where they are cut; it keeps its events as one that is whole does. */
function cutNode(log: EventLog, cuts: readonly number[]) {
  const asked: EventsRequestInit[] = [];
  const left = [...cuts];
  async function* events(request: EventsRequestInit): AsyncGenerator<never, void, void> {
    asked.push(request);
    const { tailId = '', tailEvents = 0 } = request;
    let place = log.placeOf(tailId === '' ? { tail: tailEvents } : { since: tailId });
    yield asAnswer({ events: [], cursor: log.idBefore(place) });
    for (let count = left.shift() ?? Infinity; ; count -= 1) {
      const [event] = log.from(place).events;
      if (count === 0) throw new ApiError('ERR_API_UNREACHABLE', 'lost', { endpoint: 'node' });
      if (event === undefined) return;
      place += 1;
      yield asAnswer({ events: [event], cursor: event.id });
    }
  }
  return { client: { events }, asked };
}

test('after each lost connection a reader goes on behind what it has, and gets every event once', async (t) => {
  const { log } = logOf();
  const { client, asked } = cutNode(log, [0, 1, 0, 3, 1]);
  const expected: string[] = [];
  const stopping = new AbortController();
  const seen: string[] = [];
  let sleeps = 0;
  const clock = {
    now: () => 0,
    sleep: async () => {
      for (let each = 0; each < 2; each += 1) expected.push(log.emit(task(String(sleeps))).id);
      sleeps += 1;
      if (sleeps > 8) stopping.abort();
      stopping.signal.throwIfAborted();
    },
  };
  await t.throwsAsync(async () => {
    const options = { clock, signal: stopping.signal };
    for await (const batch of followEvents(client, {}, options)) seen.push(...batch.map(({ id }) => id));
  });
  t.deepEqual(
    asked[1],
    { withActorId: undefined, pastOnly: undefined, tailEvents: -1 },
    'a node without any event',
  );
  t.deepEqual(seen, expected.slice(0, seen.length));
  t.is(seen.length, expected.length - 2);
});

test('each state of the machine is an event, once, and each set of addresses', async (t) => {
  const { log, clock } = logOf();
  const store = new Store({ clock });
  const kind = kindOf(machineStatuses);
  const stopping = new AbortController();
  let addresses = ['10.0.0.2'];
  const parts = { store, events: log, clock, addresses: () => addresses, hostname: () => 'n' };
  const running = observeMachine(parts, stopping.signal);
  t.teardown(async () => {
    stopping.abort();
    await running;
  });
  const becomes = (stage: string, ready: boolean): void =>
    store.replace(kind, new Map([['machine', { stage, status: { ready, unmetConditions: [] } }]]), 'x');
  becomes('booting', false);
  becomes('booting', false);
  becomes('running', true);
  while (log.end < 3) await setImmediate();
  addresses = ['fd00::1', '10.0.0.2'];
  clock.advance(2000);
  while (log.end < 4) await setImmediate();
  clock.advance(2000);
  await setImmediate();
  t.deepEqual(
    log.from(0).events.map(({ data }) => data),
    [
      { type: 'address', hostname: 'n', addresses: ['10.0.0.2'] },
      { type: 'machineStatus', stage: 'booting', ready: false, unmetConditions: [] },
      { type: 'machineStatus', stage: 'running', ready: true, unmetConditions: [] },
      { type: 'address', hostname: 'n', addresses: ['10.0.0.2', 'fd00::1'] },
    ],
  );
});
