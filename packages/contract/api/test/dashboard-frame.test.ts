import { readFile } from 'node:fs/promises';

import test, { type ExecutionContext } from 'ava';

import { cellsOf, fit } from '../src/dashboard/cells.ts';
import { type FrameModel, frame, type Size } from '../src/dashboard/frame.ts';
import { bar, sparkline } from '../src/dashboard/graphs.ts';
import type { Key } from '../src/dashboard/keys.ts';
import { type NodeModel, noHistories } from '../src/dashboard/model.ts';
import { type Extent, firstView, pressed, type View } from '../src/dashboard/view.ts';
import { wholeNode } from './whole-node.ts';

const [narrow, wide]: readonly Size[] = [
  { width: 80, height: 24 },
  { width: 120, height: 40 },
];
const lost: NodeModel = {
  ...wholeNode,
  name: '10.0.0.6',
  failure: '10.0.0.6:50000: nothing listens there',
  answeredMs: 88_000,
  retryMs: 104_000,
};

function drawn(size: Size, view: Partial<View> = {}, nodes: readonly NodeModel[] = [wholeNode, lost]) {
  const model: FrameModel = {
    nodes,
    view: { ...firstView, ...view },
    nowMs: 100_000,
    intervalMs: 3000,
    columnOf: () => String,
  };
  return frame(model, size);
}

function saysSilent(answeredMs: number): boolean {
  const { lines } = drawn(narrow!, {}, [{ ...wholeNode, answeredMs }]);
  return lines.some((line) => line.startsWith('! no answer for 7s'));
}

function viewAfter(view: View, key: Key, extent: Extent): View {
  const next = pressed(view, key, extent);
  if (next === 'end') throw new Error(`${JSON.stringify(key)} ends the dashboard`);
  return next;
}

async function isAsIn(t: ExecutionContext, file: string, { lines }: { lines: readonly string[] }) {
  const text = lines.map((line) => `${line.trimEnd()}\n`).join('');
  t.is(text, await readFile(new URL(`screens/${file}.txt`, import.meta.url), 'utf8'));
}

test('the summary at 80x24 and 120x40', async (t) => {
  await isAsIn(t, 'summary-80x24', drawn(narrow!));
  await isAsIn(t, 'summary-120x40', drawn(wide!));
});

test('the monitor at 80x24 and 120x40', async (t) => {
  await isAsIn(t, 'monitor-80x24', drawn(narrow!, { screen: 'monitor' }));
  await isAsIn(t, 'monitor-120x40', drawn(wide!, { screen: 'monitor' }));
});

test('a node that does not answer is shown so, with what was known and when it is asked again', async (t) => {
  await isAsIn(t, 'lost-80x24', drawn(narrow!, { index: 1 }));
});

test('a node of which nothing is known, and one that refuses a part, show no numbers', async (t) => {
  const fresh: NodeModel = { name: 'new', histories: noHistories };
  await isAsIn(t, 'new-80x24', drawn(narrow!, {}, [fresh]));
  const refused: NodeModel = {
    ...wholeNode,
    pressure: { failure: 'not in maintenance' },
    disks: { failure: 'no' },
  };
  const { lines } = drawn(narrow!, {}, [refused]);
  t.true(
    lines.some((line) => /^Pressure +not in maintenance +$/u.test(line)),
    lines.join('\n'),
  );
  t.true(lines.some((line) => /^Disks +no +$/u.test(line)));
});

test('a node that is silent for longer than its interval is shown so before any call fails', (t) => {
  t.true(saysSilent(93_000));
  t.false(saysSilent(95_000));
});

test('a window of any size is filled and never left', (t) => {
  for (const width of [1, 2, 7, 20, 79, 80, 200, 400])
    for (const height of [1, 2, 3, 9, 24, 100])
      for (const screen of ['summary', 'monitor', 'resources'] as const)
        for (const index of [0, 1]) {
          const { lines, extent } = drawn({ width, height }, { screen, index, scroll: 5 });
          t.is(lines.length, height, `${width}x${height}`);
          t.deepEqual([...new Set(lines.map(cellsOf))], [width], `${width}x${height} ${screen}`);
          t.true(extent.page >= 0);
        }
});

test('nothing that a node says is a command to the terminal, or takes more room than it has', (t) => {
  const evil = '\u001b[2J\u001b]0;x\u0007\r\n\u009b5A\u202e漢字👍e\u0301\u{e0001}';
  const spoil = (value: unknown): unknown => {
    if (typeof value === 'string') return `${evil}${value}`;
    if (Array.isArray(value)) return value.map(spoil);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spoil(each)]));
  };
  const spoilt = spoil({ ...wholeNode, failure: 'x' }) as NodeModel;
  for (const screen of ['summary', 'monitor', 'resources'] as const)
    for (const size of [narrow!, wide!]) {
      const { lines } = drawn(size, { screen }, [spoilt, spoilt]);
      t.notRegex(lines.join(''), /[\p{C}\p{M}\p{Zl}\p{Zp}]/u);
      t.deepEqual([...new Set(lines.map(cellsOf))], [size.width]);
      t.true(lines.join('').includes('漢'), 'it is shown all the same');
    }
});

test('lists scroll by lines, half pages and pages, and stay where there is something', (t) => {
  const monitor = drawn(narrow!, { screen: 'monitor' });
  const { lines: all, page } = monitor.extent;
  t.is(all, 40);
  t.true(page > 4 && page < 20);
  const view: View = { ...firstView, screen: 'monitor' };
  const after = (...keys: readonly Key[]): number =>
    keys.reduce<View>((at, key) => viewAfter(at, key, monitor.extent), view).scroll;
  t.is(after('up'), 0);
  t.is(after('down', 'down', 'up'), 1);
  t.is(after('half-down'), Math.floor(page / 2));
  t.is(after('page-down', 'page-up'), 0);
  t.is(after(...Array.from({ length: 9 }, () => 'page-down' as const)), all - page);
  t.is(after('down', 'next'), 0, 'another node begins at the top');
  const rows = drawn(narrow!, { screen: 'monitor', scroll: 1 }).lines;
  t.true(rows.some((line) => line.includes('program-38')));
  t.false(
    rows.some((line) => line.includes('program-39')),
    'the first row has gone',
  );
});

test('the log has its newest line below, and keys go the way of the text', (t) => {
  const { extent } = drawn(narrow!);
  const up = viewAfter(firstView, 'up', extent);
  t.is(up.scroll, 1);
  t.is(pressed(firstView, 'quit', extent), 'end');
  const { lines } = drawn(narrow!, { scroll: 1 });
  t.false(lines.some((line) => line.includes('line 30')));
  t.true(lines.some((line) => line.includes('line 29')));
  t.true(lines.some((line) => line.includes('1 newer line below')));
  t.is(viewAfter(up, 'down', extent).scroll, 0);
});

test('many nodes: the shown one is in the window, and behind the last comes the first', (t) => {
  const nodes = Array.from({ length: 30 }, (_, at): NodeModel => ({
    name: `node-${at}`,
    histories: noHistories,
  }));
  for (const index of [0, 7, 29]) {
    const [tabs] = drawn(narrow!, { index }, nodes).lines;
    t.true(tabs!.includes(`[node-${index}]`), tabs);
  }
  const extent = { nodes: 30, lines: 0, page: 0 };
  t.is(viewAfter({ ...firstView, index: 29 }, 'next', extent).index, 0);
  t.is(viewAfter(firstView, 'previous', extent).index, 29);
  t.is(viewAfter(firstView, 'next', { ...extent, nodes: 1 }).index, 0);
});

test('a text is cut and padded by the cells that it takes', (t) => {
  t.is(fit('abc', 5), 'abc  ');
  t.is(fit('abc', 5, 'right'), '  abc');
  t.is(fit('abcdef', 4), 'abc…');
  t.is(fit('漢字', 4), '漢字');
  t.is(fit('漢字', 3), '漢…');
  t.is(fit('a漢字', 3), 'a …');
  t.is(fit('a\u001b\u0301', 3), 'a??');
  t.is(fit('x', 0), '');
});

test('graphs: what is not known is a gap, and never zero', (t) => {
  t.is(sparkline([0, 50, 100], 5, 100), '  ▁▅█');
  t.is(sparkline([undefined, 100, 200], 2, 100), '██');
  t.is(sparkline([undefined, 0], 2), ' ▁');
  t.is(sparkline([1], 0), '');
  t.is(bar(0.5, 6), '[██  ]');
  t.is(bar(undefined, 6), '[    ]');
  t.is(bar(7, 6), '[████]');
});
