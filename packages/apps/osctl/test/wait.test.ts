import { EventType } from '@nodecore/api/resource';
import { UsageError } from '@nodecore/cli';
import test from 'ava';

import { readCondition } from '../src/wait/condition.ts';
import { clientConfig, osctl } from './command-line.ts';
import { resource, startFakeNode } from './fake-node.ts';

const type = 'Disks.block.nodecore.dev';

function changed(id: string, spec: unknown, revision: bigint, kind: EventType = EventType.UPDATED) {
  const bookmark = { epoch: 'e', revision };
  return { type: kind, resource: resource(type, id, spec, { version: revision }), bookmark };
}

test('a wait ends when all that are meant are as wanted, over a lost connection, and prints them', async (t) => {
  const node = await startFakeNode(t, { specs: { [type]: { a: { ready: 'no' }, b: { ready: 'yes' } } } });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const wait = osctl(
    ['wait', 'disks', '--for', 'jsonpath=.spec.ready=yes', '-o', 'jsonpath=.metadata.version'],
    {
      env,
    },
  );
  await node.watched();
  node.send(changed('b', { ready: 'no' }, 2n));
  node.interrupt(changed('a', { ready: 'yes' }, 3n), changed('b', { ready: 'yes' }, 4n));
  const { code, out, error } = await wait;
  t.is(code, 0, error);
  t.is(out, '3\n4\n');
  t.true(error.includes('connecting again'), error);
});

test('what was as wanted before ends a wait at once, also as a flag of get', async (t) => {
  const { endpoint } = await startFakeNode(t, {
    specs: { [type]: { a: { n: 1, list: ['x'] }, b: { n: 2 } } },
  });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  for (const words of [
    ['wait', 'disks', 'a', '--for', 'jsonpath={.spec.n}=1'],
    ['get', 'disks', 'a', '--wait-for', 'jsonpath=.spec.list[?@=="x"]'],
    ['get', 'disks', '--ids', '?', '--wait-for', 'create'],
  ])
    t.is((await osctl(words, { env })).code, 0, words.join(' '));
  t.true((await osctl(['get', 'disks', 'a', '--wait-for', 'create'], { env })).out.includes('Disk'));
});

test('a wait that is over ends with 7, and says which were not as wanted', async (t) => {
  const { endpoint } = await startFakeNode(t, { specs: { [type]: { a: { n: 1 }, 'b\u001b[2J': { n: 2 } } } });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const late = async (...words: readonly string[]) =>
    await osctl(['wait', 'disks', ...words, '--timeout', '3s'], { env });
  const [some, none, stays] = await Promise.all([
    late('--for', 'jsonpath=.spec.n=1'),
    late('c', '--for', 'create'),
    late('a', '--for', 'delete'),
  ]);
  t.deepEqual([some.code, none.code, stays.code], [7, 7, 7]);
  t.true(some.error.includes('no jsonpath=.spec.n=1 after 3 s: not so: b?[2J'), some.error);
  t.true(none.error.includes('there is none'), none.error);
});

test('a wait for the absence ends when the last that is meant has gone', async (t) => {
  const node = await startFakeNode(t, { specs: { [type]: { a: {}, b: {} } } });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const wait = osctl(['wait', 'disks', '--ids', 'a', '--for', 'delete'], { env });
  await node.watched();
  node.send(changed('a', {}, 2n, EventType.DESTROYED));
  t.deepEqual(await wait, { code: 0, out: '', error: '' });
  t.is((await osctl(['wait', 'disks', 'c', '--for', 'delete'], { env })).code, 0);
});

test('a wait for a type that no node knows is not begun', async (t) => {
  const { endpoint } = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [endpoint] });
  t.is((await osctl(['wait', 'dusks', '--for', 'create'], { env })).code, 3);
  t.is((await osctl(['wait', 'disks'], { env })).code, 2);
  t.is((await osctl(['get', 'disks', '-w', '--wait-for', 'create'], { env })).code, 2);
  t.is((await osctl(['get', 'disks', '--timeout', '1s'], { env })).code, 2);
});

test('a condition is a word, or a path with a value', (t) => {
  const shown = { node: 'n', metadata: { id: 'a=b' }, spec: { n: 1n, on: true, list: [{ k: 'a', v: '1' }] } };
  for (const [text, isTrue] of [
    ['create', true],
    ['jsonpath=.spec.n=1', true],
    ['jsonpath=.spec.n=2', false],
    ['jsonpath=$.spec.on=true', true],
    ['jsonpath=.spec.off', false],
    ['jsonpath=.spec.on', true],
    ['jsonpath=.metadata.id=a=b', true],
    ["jsonpath=.spec.list[?@.k=='a'].v=1", true],
    ["jsonpath='{.spec.n}'=1", true],
    ['jsonpath={.spec.n}=', false],
  ] as const)
    t.is(readCondition(text).holds(shown), isTrue, text);
  for (const text of ['', 'ready', 'jsonpath=', 'jsonpath==1', 'jsonpath=.a[', 'condition=Ready'])
    t.throws(() => readCondition(text), { instanceOf: UsageError }, text);
});

test('a resource is described with what waits for it', async (t) => {
  const items = 'ControllerItems.runtime.nodecore.dev';
  const { endpoint } = await startFakeNode(t, {
    specs: {
      [type]: { sda: { size: 9007199254740993n, note: 'two\nlines\u001b[2J' }, sdb: {} },
      [items]: { x: { controller: 'volumes', item: 'sda', phase: 'waiting', reason: 'no key' } },
    },
  });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const { code, out, error } = await osctl(['describe', 'disk', 'sda'], { env });
  t.is(code, 0, error);
  t.regex(out, /^Node: +127\.0\.0\.1:\d+\n(?:.*\n)*Id: +sda\n/u);
  t.regex(out, /\nSpec:\n {2}size: 9007199254740993\n(?:.*\n)+Waits:\n {2}volumes is waiting: no key\n$/u);
  t.false(out.includes('\u001b'));
  const all = await osctl(['describe', 'disks', '-o', 'json'], { env });
  t.like(JSON.parse(all.out), {
    0: { metadata: { id: 'sda' }, waits: { 0: { reason: 'no key' } } },
    1: { waits: [] },
  });
  t.is((await osctl(['describe', 'disk', 'sdx'], { env })).code, 3);
});
