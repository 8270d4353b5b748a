import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

import { ApiError, encodeSpec, type ResourceDefinition } from '../src/index.ts';
import { type EventInit, EventType, type Resource } from '../gen/nodecore-v1.js';
import { abortable, BoundedQueue, type Clock } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';

import { anchored, type BrowseView, browsed, firstBrowse } from '../src/dashboard/browse-view.ts';
import { cellsOf } from '../src/dashboard/cells.ts';
import type { DashboardNode } from '../src/dashboard/dashboard-node.ts';
import { type Frame, frame } from '../src/dashboard/frame.ts';
import type { Key } from '../src/dashboard/keys.ts';
import { type Browsed, type NodeModel, valueOf } from '../src/dashboard/model.ts';
import { ResourceBrowser } from '../src/dashboard/resource-browser.ts';
import { firstView } from '../src/dashboard/view.ts';
import { wholeNode } from './whole-node.ts';

const disks: ResourceDefinition = {
  type: 'Disks.block.nodecore.dev',
  displayType: 'Disk',
  description: 'A disk and its hardware facts.',
  defaultNamespace: 'runtime',
  aliases: ['disk'],
  printColumns: [
    { name: 'Size', jsonPath: '$.pretty_size' },
    { name: 'Model', jsonPath: '$.model' },
  ],
  sensitive: false,
};
const secrets: ResourceDefinition = {
  ...disks,
  type: 'Secrets.os.nodecore.dev',
  displayType: 'Secret',
  description: 'What nobody else may know.',
  aliases: [],
  printColumns: [],
  sensitive: true,
};

function disk(id: string, spec: unknown, version = 1n): Resource {
  const metadata = { namespace: 'runtime', type: disks.type, id, version, phase: 1, labels: {} };
  const rest = { owner: '', annotations: {}, finalizers: [], createdMillis: 0n, updatedMillis: 0n };
  return { metadata: { ...metadata, ...rest }, spec: Buffer.from(encodeSpec(spec)) } as Resource;
}

const many = Array.from({ length: 30 }, (_, at) =>
  disk(`sd${String(at).padStart(2, '0')}`, { pretty_size: `${at} GB`, model: at % 2 === 0 ? 'even' : 'odd' }),
);
const whole: Browsed = {
  kinds: { value: [disks, secrets] },
  table: { definition: disks, resources: { value: many } },
};

/** Members alone, as `$.model`. */
function columnOf(jsonPath: string): (spec: unknown) => string {
  const name = /^\$\.(\w+)$/u.exec(jsonPath)?.[1];
  if (name === undefined) throw new TypeError(jsonPath);
  return (spec) => (spec as Readonly<Record<string, string>> | undefined)?.[name] ?? '';
}

function drawn(browse: Partial<BrowseView>, known: Browsed = whole, size = { width: 80, height: 24 }): Frame {
  const node: NodeModel = { ...wholeNode, browsed: known };
  const view = { ...firstView, screen: 'resources', browse: { ...firstBrowse, ...browse } } as const;
  return frame({ nodes: [node], view, nowMs: 100_000, intervalMs: 3000, columnOf }, size);
}

function textOf(browse: Partial<BrowseView>, known: Browsed): string {
  return drawn(browse, known).lines.join('\n');
}

/** As the dashboard does: each key acts on what is drawn. */
function after(keys: readonly Key[], known: Browsed = whole, begin: BrowseView = firstBrowse): BrowseView {
  return keys.reduce((view, key) => {
    const { names = [], lines, page } = drawn(view, known).extent;
    return browsed(view, key, { names, lines, page });
  }, begin);
}

const typed = (text: string): readonly Key[] => Array.from(text, (character) => ({ text: character }));

async function isAsIn(t: ExecutionContext, file: string, { lines }: Frame): Promise<void> {
  const text = lines.map((line) => `${line.trimEnd()}\n`).join('');
  t.is(text, await readFile(new URL(`screens/${file}.txt`, import.meta.url), 'utf8'));
}

test('kinds, the resources of one, and one as YAML at 80x24', async (t) => {
  await isAsIn(t, 'kinds-80x24', drawn(firstBrowse));
  const table = after(['open', 'filter', ...typed('even 2'), 'open', 'down', 'down']);
  await isAsIn(t, 'table-80x24', drawn(table));
  await isAsIn(t, 'resource-80x24', drawn(after(['open'], whole, table)));
});

test('the chosen row is the same resource when others come and go, and gives its place up when it goes', (t) => {
  const view = after(['open', 'down', 'down', 'down']);
  t.is(view.resources.chosen.name, 'sd03');
  const marked = (known: Browsed): string | undefined =>
    drawn(view, known)
      .lines.find((line) => line.startsWith('> '))
      ?.slice(2, 6);
  const having = (resources: readonly Resource[]): Browsed => ({
    ...whole,
    table: { definition: disks, resources: { value: resources } },
  });
  t.is(marked(having([disk('aaa0', {}), ...many])), 'sd03');
  t.is(marked(having(many.filter(({ metadata }) => metadata?.id !== 'sd03'))), 'sd04');
  t.is(marked(having(many.slice(0, 2))), 'sd01');
  t.is(marked(having([])), undefined);
  t.is(after(['open'], having([]), view).id, undefined, 'nothing is there to be opened');
  const fresh = { ...firstBrowse, kind: disks.type };
  const seen = anchored(fresh, ['sd00', 'sd01']);
  t.deepEqual(seen.resources.chosen, { name: 'sd00', at: 0 }, 'the first row is chosen when it is seen');
  t.deepEqual(anchored(seen, ['aaa', 'sd00']).resources.chosen, { name: 'sd00', at: 1 });
  t.is(anchored(seen, []), seen, 'it may come back');
});

test('the window follows the chosen row, by lines and by pages', (t) => {
  for (const keys of [
    Array.from({ length: 40 }, (): Key => 'down'),
    ['page-down', 'page-down', 'page-down'] as const,
    ['half-down', 'half-down', 'half-down', 'half-down', 'half-down', 'half-down'] as const,
  ]) {
    const view = after(['open', ...keys]);
    t.is(view.resources.chosen.name, 'sd29');
    t.regex(drawn(view).lines.join('\n'), /^> sd29 .*\n .*F3 resources/mu);
    t.is(after(['page-up', 'page-up', 'page-up', 'up'], whole, view).resources.chosen.name, 'sd00');
  }
});

test('Escape goes from the words to the whole list, and from there up; another kind has another list', (t) => {
  const filtered = after(['filter', ...typed('secrx'), 'erase', 'open']);
  t.deepEqual([filtered.kinds.filter, filtered.isTyping], ['secr', false]);
  const opened = after(['open'], whole, filtered);
  t.is(opened.kind, secrets.type);
  const back = after(['back'], whole, opened);
  t.deepEqual([back.kind, back.kinds.filter], [undefined, 'secr']);
  const all = after(['back'], whole, back);
  t.is(all.kinds.filter, '');
  t.is(after(['erase'], whole, all).kind, undefined, 'there is nothing above the kinds');
  const inDisks = after(['open', 'filter', ...typed('odd'), 'open', 'open']);
  t.deepEqual([inDisks.resources.filter, inDisks.id], ['odd', 'sd01']);
  const others = after(['back', 'back', 'back', 'down', 'open'], whole, inDisks);
  t.deepEqual([others.kind, others.resources.filter], [secrets.type, '']);
  t.is(after([...typed('x'), 'pause'], whole, others), others, 'what means nothing changes nothing');
});

test('what is not known, refused, old or gone is said', (t) => {
  const kind = disks.type;
  t.regex(textOf({}, { kinds: undefined }), /Kinds +waiting for the node/u);
  t.regex(textOf({}, { kinds: { failure: 'it is off' } }), /Kinds +it is off/u);
  t.regex(textOf({ kind }, { kinds: whole.kinds }), /Disks\.block\.nodecore\.dev +waiting for the node/u);
  const refused = { ...whole, table: { definition: disks, resources: { failure: 'needs os:admin' } } };
  t.regex(textOf({ kind }, refused), /Disks\.block\.nodecore\.dev +needs os:admin/u);
  t.regex(textOf({ kind, id: 'sd00' }, refused), /Disk sd00 +needs os:admin/u);
  t.regex(textOf({ kind, id: 'gone' }, whole), /Disk gone +it is gone/u);
  const old = { ...whole, table: { ...whole.table!, interruption: 'connection lost' } };
  t.regex(textOf({ kind }, old), /Disks\.block\.nodecore\.dev +! connection lost/u);
  t.regex(textOf({ kind, id: 'sd00' }, old), /Disk sd00 +! connection lost[\s\S]*pretty_size: 0 GB/u);
  t.regex(textOf({ kind }, whole), /Disks\.block\.nodecore\.dev +30 /u);
});

test('whatever a node sends is drawn, and is no command to the terminal', (t) => {
  const evil = '\u001b[2J\u001b]0;x\u0007\r\n\u009b5A\u202e漢字👍e\u0301\u{e0001}';
  const definition = {
    ...disks,
    displayType: evil,
    description: evil,
    aliases: [evil],
    printColumns: [
      { name: evil, jsonPath: '$.model' },
      { name: 'x', jsonPath: '$[' },
    ],
  };
  const broken = { ...disk('broken', {}), spec: Buffer.from('{"a":') };
  const resources = [broken, disk(evil, { model: evil, [evil]: { [evil]: [evil] } })];
  const known: Browsed = {
    kinds: { value: [definition] },
    table: { definition, resources: { value: resources } },
  };
  for (const browse of [
    {},
    { kind: disks.type },
    { kind: disks.type, id: 'broken' },
    { kind: disks.type, id: evil },
  ])
    for (const size of [
      { width: 80, height: 24 },
      { width: 7, height: 3 },
      { width: 1, height: 1 },
    ]) {
      const { lines } = drawn(
        { ...browse, resources: { filter: '', chosen: { name: evil, at: 1 } } },
        known,
        size,
      );
      t.notRegex(lines.join(''), /[\p{C}\p{M}\p{Zl}\p{Zp}]/u);
      t.deepEqual([...new Set(lines.map(cellsOf)), lines.length], [size.width, size.height]);
    }
  t.regex(drawn({ kind: disks.type, id: 'broken' }, known).lines.join('\n'), /its spec is no JSON/u);
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

function created(id: string): EventInit {
  return { type: EventType.CREATED, resource: disk(id, {}) };
}

/** A node whose watches the test answers. */
function fakeTarget() {
  const watches: { readonly send: (...events: readonly EventInit[]) => void; fail(error: Error): void }[] =
    [];
  const ended: string[] = [];
  const client = {
    endpoint: 'a:1',
    async *list() {
      yield { resources: [disks, secrets].map((each) => ({ spec: encodeSpec(each) })) };
    },
    async *watch({ type }: { readonly type: string }, { signal }: { readonly signal: AbortSignal }) {
      const queue = new BoundedQueue<readonly EventInit[]>({ max: 8 });
      watches.push({
        send: (...events) => void queue.push(events),
        fail: (error) => queue.fail(error),
      });
      signal.addEventListener('abort', () => queue.fail(signal.reason));
      try {
        for await (const events of queue) yield { events };
      } finally {
        ended.push(type);
      }
    },
  };
  return {
    watches,
    ended,
    target: { name: 'a', node: undefined, client, explain: String } as unknown as DashboardNode,
  };
}

test('a kind is followed while it is looked at, and shown when all of it is there', async (t) => {
  const { watches, ended, target } = fakeTarget();
  const sleepers = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    sleep: async (_ms, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      sleepers.add(resolve);
      await abortable(promise, signal).finally(() => sleepers.delete(resolve));
    },
  };
  const end = new AbortController();
  let changed = Promise.withResolvers<void>();
  const onChange = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const browser = new ResourceBrowser(target, { clock, signal: end.signal, onChange });
  const running = t.throwsAsync(browser.run(), { name: 'AbortError' });
  browser.look({ kind: disks.type });
  await until(() => watches.length === 1);
  t.deepEqual(
    valueOf(browser.browsed.kinds)?.map(({ type }) => type),
    [disks.type, secrets.type],
  );
  watches[0]?.send(created('sda'));
  await setImmediate();
  t.is(browser.browsed.table?.resources, undefined, 'half of a list would look like all of it');
  watches[0]?.send(created('sdb'), { type: EventType.BOOTSTRAPPED });
  await changed.promise;
  const ids = (): readonly string[] | undefined =>
    valueOf(browser.browsed.table?.resources)?.map(({ metadata }) => metadata?.id ?? '');
  t.deepEqual(ids(), ['sda', 'sdb']);
  watches[0]?.fail(
    new ApiError('ERR_API_UNREACHABLE', 'a:1: connection lost', { endpoint: 'a:1', node: undefined }),
  );
  await changed.promise;
  t.regex(browser.browsed.table?.interruption ?? '', /connection lost/u);
  t.deepEqual(ids(), ['sda', 'sdb'], 'what was known stays');
  await until(() => sleepers.size === 1);
  for (const wake of sleepers) wake();
  await until(() => watches.length === 2);
  watches[1]?.send(created('sda'), { type: EventType.BOOTSTRAPPED });
  await changed.promise;
  t.deepEqual([ids(), browser.browsed.table?.interruption], [['sda'], undefined]);
  browser.look('nothing');
  await until(() => ended.length === 2);
  browser.look({ kind: 'Others.nodecore.dev' });
  await until(() => browser.browsed.table?.definition.type === 'Others.nodecore.dev');
  t.deepEqual(browser.browsed.table?.resources, { failure: 'the node has no such kind' });
  t.is(watches.length, 2);
  end.abort();
  await running;
});
