import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { Metadata, status } from '@grpc/grpc-js';
import { encodeSpec } from '@nodecore/api';
import type { ListResponseInit, WatchResponseInit } from '@nodecore/api/resource';
import { type Json, Store } from '@nodecore/state';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { machineConfigs } from '../src/configuration/definitions.ts';
import { disks } from '../src/discovery/definitions.ts';
import { definitions } from '../src/features.ts';
import { Catalog } from '../src/resources/catalog.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { resourceService } from '../src/resources/resource-service.ts';
import { WireForms } from '../src/resources/wire-forms.ts';
import { callerWith } from './callers.ts';

/** As many calls as are served at once. */
const crowd = 1_280;

/** Resources, two messages of them, and the methods that read them; what is encoded is counted by its JSON. */
function reads(t: ExecutionContext, count = 100) {
  const encoded = new Map<string, number>();
  const encode = (spec: Json): Uint8Array => {
    const bytes = encodeSpec(spec);
    const text = bytes.toString();
    encoded.set(text, (encoded.get(text) ?? 0) + 1);
    return bytes;
  };
  const store = new Store();
  for (let each = 0; each < count; each += 1)
    store.create({ ...kindOf(disks), id: `disk${each}` }, { size: each });
  const stopping = new AbortController();
  t.teardown(() => stopping.abort(new Error('over')));
  const as = new Map<unknown, string>();
  const handlers = resourceService(
    { store, catalog: new Catalog(definitions), forms: new WireForms(encode) },
    {
      log: pino({ level: 'silent' }),
      callerOf: (call) => callerWith(as.get(call) ?? 'os:reader'),
      stopping: stopping.signal,
    },
  );
  const call = (method: 'list' | 'watch', type = disks.type, role = 'os:reader'): Answers => {
    const answers = new Answers({ type, namespace: '', id: '' });
    as.set(answers, role);
    (handlers[method] as (call: unknown) => void)(answers);
    return answers;
  };
  return { store, encoded, call };
}

/** A call of a stream as a handler gets it, and what it was answered. */
class Answers extends EventEmitter {
  readonly metadata = new Metadata();
  readonly messages: (ListResponseInit & WatchResponseInit)[] = [];
  readonly whole = Promise.withResolvers<void>();
  readonly request: object;
  onMessage: () => void = () => {};

  constructor(request: object) {
    super();
    this.request = request;
    this.on('error', ({ code }: { code: status }) => this.whole.reject(new Error(status[code])));
  }

  getPeer(): string {
    return '127.0.0.1:1';
  }

  write(message: ListResponseInit & WatchResponseInit): boolean {
    this.messages.push(message);
    this.onMessage();
    if (message.events?.some(({ bookmark, resource }) => bookmark !== undefined && resource === undefined))
      this.whole.resolve();
    return true;
  }

  end(): void {
    this.whole.resolve();
  }

  get ids(): (string | undefined)[] {
    const resources = this.messages.flatMap(({ resources: listed = [], events = [] }) => [
      ...listed,
      ...events.flatMap(({ resource }) => resource ?? []),
    ]);
    return resources.map(({ metadata }) => metadata?.id);
  }
}

test('a version of a resource is encoded once for all who list and watch it', async (t) => {
  const { store, encoded, call } = reads(t);
  const all = Array.from({ length: crowd }, (_, each) => call(each % 2 === 0 ? 'watch' : 'list'));
  await Promise.all(all.map(({ whole }) => whole.promise));
  const ids = store.list(kindOf(disks)).resources.map(({ metadata }) => metadata.id);
  for (const answers of all) t.deepEqual(answers.ids, ids);
  t.is(encoded.size, 100);
  t.deepEqual(new Set(encoded.values()), new Set([1]));
  store.update({ ...kindOf(disks), id: 'disk7' }, 1, { size: -7 });
  const later = call('list');
  await later.whole.promise;
  t.is(encoded.get('{"size":-7}'), 1, 'a new version is another form');
  t.is(encoded.get('{"size":8}'), 1);
});

for (const method of ['list', 'watch'] as const)
  test(`a crowd of calls of ${method} that begin at once leaves the loop to others between few of its messages`, async (t) => {
    const { call } = reads(t);
    let turn = 0;
    const perTurn = new Map<number, number>();
    const all = Array.from({ length: crowd }, () => call(method));
    for (const answers of all) answers.onMessage = () => perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
    // Two messages each.
    for (; all.some(({ messages }) => messages.length < 2); turn += 1) await setImmediate();
    await Promise.all(all.map(({ whole }) => whole.promise));
    // The turn in which they begin may see those of the next one, too.
    t.true(Math.max(...perTurn.values()) <= 16, `${Math.max(...perTurn.values())} messages in a turn`);
    t.true(perTurn.size >= crowd / 8, `${perTurn.size} turns`);
  });

test('a form that an administrator was sent is not sent to those who may not read it', async (t) => {
  const { store, encoded, call } = reads(t, 0);
  store.create({ ...kindOf(machineConfigs), id: 'v1alpha1' }, 'secret');
  const administrators = call('list', machineConfigs.type, 'os:admin');
  await administrators.whole.promise;
  t.deepEqual(administrators.ids, ['v1alpha1']);
  for (const method of ['list', 'watch'] as const) {
    const readers = call(method, machineConfigs.type, 'os:reader');
    await t.throwsAsync(readers.whole.promise, { message: 'PERMISSION_DENIED' });
    t.deepEqual(readers.messages, []);
  }
  t.is(encoded.get('"secret"'), 1);
});
