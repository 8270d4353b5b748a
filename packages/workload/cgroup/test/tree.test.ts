import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { leakedDescriptors, openDescriptors } from '@nodecore/testkit';
import test from 'ava';

import { cellState, CgroupReader, type CgroupTree, ratesBetween, readTree } from '../src/index.ts';
import { copiedTree, foreignReader, writeContents } from './copied-tree.ts';

const serial = test.serial;

serial('a tree is read at once: parents before children, siblings by name', async (t) => {
  const directory = await copiedTree(t, {
    'b/c/pids.current': '1\n',
    'a/pids.current': '2\n',
    'b/pids.current': '3\n',
  });
  const tree = await readTree(directory, { foreign: true });
  t.deepEqual(
    tree.nodes.map(({ path }) => path),
    ['/', '/a', '/b', '/b/c'],
  );
  t.is(tree.find('/b/c')?.pids.current, 1);
  t.is(tree.find('/b/c')?.parent, tree.find('/b'));
  t.deepEqual(
    tree.root.children.map(({ name }) => name),
    ['a', 'b'],
  );
  t.is(tree.root.pids.current, undefined);
  t.is(tree.find('/missing'), undefined);
});

function text(length: number): string {
  return '1234567\n'.repeat(length / 8 + 1).slice(0, length);
}

serial('files of any length come whole', async (t) => {
  const lengths = [0, 1, 3071, 3072, 4095, 4096, 4097, 16_383, 16_384, 16_385, 1_000_000];
  const directory = await copiedTree(
    t,
    Object.fromEntries(lengths.map((length) => [`f${length}`, text(length)])),
  );
  const { root } = await readTree(directory, { foreign: true });
  for (const length of lengths) t.is(root.text(`f${length}`), text(length), String(length));
});

serial('only the files that were asked for are read', async (t) => {
  const directory = await copiedTree(t, { 'a/pids.current': '2\n', 'a/pids.max': 'max\n' });
  const reader = await foreignReader(t, directory);
  const some = await reader.read({ files: ['pids.max', 'never.heard.of'] });
  t.deepEqual(some.find('/a')?.files(), ['pids.max']);
  const none = await reader.read({ files: [] });
  t.deepEqual(none.find('/a')?.files(), []);
  const all = await reader.read();
  t.deepEqual(all.find('/a')?.files().sort(), ['pids.current', 'pids.max']);
});

serial(
  'a file is the same as at another reading when its bytes are, or when it was absent at both',
  async (t) => {
    const directory = await copiedTree(t, {
      'a/same': '1\n',
      'a/longer': '1\n',
      'a/other': '1\n',
      'a/gone': '1\n',
    });
    const reader = await foreignReader(t, directory);
    const files = ['same', 'longer', 'other', 'gone', 'new', 'never'];
    const first = (await reader.read({ files })).find('/a');
    await rm(join(directory, 'a/gone'));
    await writeContents(directory, { 'a/longer': '10\n', 'a/other': '2\n', 'a/new': '' });
    // A file of another length in front moves the bytes of the others.
    const second = (await reader.read({ files: files.toReversed() })).find('/a');
    if (first === undefined || second === undefined) throw new Error('no cgroup');
    const same = files.filter((file) => second.isSame(file, first));
    t.deepEqual(same, ['same', 'never']);
    t.deepEqual(
      files.filter((file) => first.isSame(file, second)),
      same,
    );
  },
);

serial(
  'a cgroup is unchanged when all its files are, by the same reader and in the same order',
  async (t) => {
    const contents = {
      'a/one': '1\n',
      'a/two': '2\n',
      'b/one': '1\n',
      'b/two': '2\n',
      'c/one': '1\n',
      'd/two': '2\n',
    };
    const directory = await copiedTree(t, contents);
    const reader = await foreignReader(t, directory);
    const files = ['one', 'two', 'never'];
    const paths = ['/', '/a', '/b', '/c', '/d'];
    const unchanged = (now: CgroupTree, then: CgroupTree): string[] =>
      paths.filter((path) => now.find(path)!.isUnchanged(then.find(path)!));
    const first = await reader.read({ files });
    t.deepEqual(unchanged(await reader.read({ files }), first), paths);
    t.deepEqual(unchanged(await (await foreignReader(t, directory)).read({ files }), first), []);
    t.deepEqual(unchanged(await reader.read({ files: ['one'] }), first), ['/', '/c']);
    // The same length, the same bytes divided elsewhere, and a file more.
    await writeContents(directory, { 'a/two': '3\n', 'b/one': '1\n2', 'b/two': '\n', 'c/two': '' });
    const second = await reader.read({ files });
    t.deepEqual(unchanged(second, first), ['/', '/d']);
    t.deepEqual(unchanged(await reader.read({ files: ['never', 'two', 'one'] }), second), [
      '/',
      '/a',
      '/b',
      '/c',
      '/d',
    ]);
  },
);

serial('a scan sees what is new and what is gone since the last one', async (t) => {
  const directory = await copiedTree(t, { 'a/pids.current': '1\n', 'b/c/pids.current': '1\n' });
  const reader = await foreignReader(t, directory);
  const first = await reader.read();
  t.deepEqual(
    first.appeared.map(({ path }) => path),
    ['/', '/a', '/b', '/b/c'],
  );
  await rm(join(directory, 'b'), { recursive: true });
  await writeContents(directory, { 'a/d/pids.current': '1\n', 'a/pids.max': '9\n' });
  const second = await reader.read();
  t.deepEqual(
    second.appeared.map(({ path }) => path),
    ['/a/d'],
  );
  t.deepEqual(second.gone.map(({ path }) => path).sort(), ['/b', '/b/c']);
  t.is(second.find('/a')?.id, first.find('/a')?.id);
  t.is(second.find('/a')?.pids.max, 9);
});

serial('a cgroup that was removed and made again is another one', async (t) => {
  const directory = await copiedTree(t, { 'a/cpu.stat': 'usage_usec 5\n' });
  const reader = await foreignReader(t, directory);
  const first = await reader.read();
  await rm(join(directory, 'a'), { recursive: true });
  await writeContents(directory, { 'other/': '', 'a/cpu.stat': 'usage_usec 7\n' });
  const second = await reader.read();
  t.not(second.find('/a')?.id, first.find('/a')?.id);
  t.deepEqual(second.gone, [{ id: first.find('/a')?.id ?? -1, path: '/a' }]);
  t.is(second.find('/a')?.cpu.stat?.get('usage_usec'), 7);
  t.deepEqual(
    ratesBetween(first, second).map(({ node }) => node.path),
    ['/'],
  );
});

serial('columns are numbers with a state: absent and max are none of them', async (t) => {
  const directory = await copiedTree(t, {
    'a/memory.max': 'max\n',
    'a/memory.current': '18446744073709551615\n',
    'a/cpu.stat': 'usage_usec 12\nuser_usec 7\n',
    'a/cpu.max': 'max 100000\n',
    'a/memory.pressure': 'some avg10=1.05 avg60=0.00 avg300=0.00 total=77\n',
    'a/cgroup.procs': '1\n2\n3\n',
    'a/cpu.weight.nice': '-3\n',
    'a/damaged': 'x\n',
  });
  const reader = await foreignReader(t, directory);
  const cells = await reader.readColumns([
    { file: 'memory.max' },
    { file: 'memory.current' },
    { file: 'cpu.stat', line: 'user_usec' },
    { file: 'cpu.max', part: '1' },
    { file: 'memory.pressure', line: 'some', part: 'avg10' },
    { file: 'memory.pressure', line: 'some', part: 'total' },
    { file: 'memory.pressure', line: 'full', part: 'total' },
    { file: 'cgroup.procs', line: '#' },
    { file: 'cpu.weight.nice' },
    { file: 'damaged' },
    { file: 'missing' },
  ]);
  t.is(cells.path(1), '/a');
  t.true((cells.takenNs[1] ?? 0n) > 0n);
  const found = cells.columns.map((column) =>
    cellState(column, 1) === 'value' ? BigInt.asIntN(64, column.values[1] ?? 0n) : cellState(column, 1),
  );
  t.deepEqual(found, ['max', -1n, 7n, 100_000n, 105n, 77n, 'absent', 3n, -3n, 'absent', 'absent']);
  t.true(cells.columns.every((column) => cellState(column, 0) === 'absent'));
});

serial('rates use the time that passed, and tell a counter that began anew', async (t) => {
  const directory = await copiedTree(t, {
    'a/cpu.stat': 'usage_usec 100\nuser_usec 900\n',
    'a/io.stat': '8:0 rbytes=10 wbytes=0\n',
    'a/memory.stat': 'anon 5\npgfault 1\n',
  });
  const reader = await foreignReader(t, directory);
  const before = await reader.read();
  await writeFile(join(directory, 'a/cpu.stat'), 'usage_usec 600\nuser_usec 0\n');
  await writeFile(join(directory, 'a/io.stat'), '8:0 rbytes=30 wbytes=0\n8:16 rbytes=1 wbytes=1\n');
  await writeFile(join(directory, 'a/memory.stat'), 'anon 9\npgfault 4\n');
  const after = await reader.read();
  const rates = ratesBetween(before, after).find(({ node }) => node.path === '/a');
  const elapsed = Number(rates?.elapsedNs);
  t.true(elapsed > 0);
  t.deepEqual(
    rates?.counters,
    new Map([
      ['cpu.stat usage_usec', { delta: 500, perSecond: 500e9 / elapsed }],
      ['cpu.stat user_usec', { reset: true }],
      ['memory.stat pgfault', { delta: 3, perSecond: 3e9 / elapsed }],
      ['io.stat 8:0 rbytes', { delta: 20, perSecond: 20e9 / elapsed }],
      ['io.stat 8:0 wbytes', { delta: 0, perSecond: 0 }],
    ] as const),
  );
});

serial('trees of two readers are not compared', async (t) => {
  const directory = await copiedTree(t, { 'a/cpu.stat': 'usage_usec 1\n' });
  const trees = [
    await readTree(directory, { foreign: true }),
    await readTree(directory, { foreign: true }),
  ] as const;
  t.throws(() => ratesBetween(...trees), { instanceOf: TypeError });
});

serial('what is kept open stays within the limit, and a smaller one closes some', async (t) => {
  const contents = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`c${index}/pids.current`, `${index}\n`]),
  );
  const directory = await copiedTree(t, contents);
  const before = openDescriptors();
  const reader = await CgroupReader.open(directory, { foreign: true, maxHeld: 20 });
  for (let round = 0; round < 3; round += 1) {
    const tree = await reader.read();
    t.is(tree.nodes.length, 51);
    t.is(tree.find('/c49')?.pids.current, 49);
    t.is(tree.descriptors.limit, 20);
    t.true(tree.descriptors.held <= 20);
    const held = leakedDescriptors(before).filter((line) => line.includes(directory));
    // And the root itself.
    t.is(held.length, tree.descriptors.held + 1);
  }
  reader.close();
});

serial('a reader that is closed gives back everything', async (t) => {
  const directory = await copiedTree(t, { 'a/b/pids.current': '1\n', 'c/pids.current': '1\n' });
  const before = openDescriptors();
  const reader = await CgroupReader.open(directory, { foreign: true });
  await reader.read();
  reader.close();
  reader.close();
  const ours = (): string[] => leakedDescriptors(before).filter((line) => line.includes(directory));
  const deadline = performance.now() + 10_000;
  // Its thread closes them, a moment later.
  while (ours().length > 0 && performance.now() < deadline) await new Promise(setImmediate);
  t.deepEqual(ours(), []);
  await t.throwsAsync(reader.read(), { instanceOf: TypeError });
});

serial(
  'a directory that is not on cgroup v2 says so, and where that is or what is there instead',
  async (t) => {
    const directory = await copiedTree(t, {});
    await t.throwsAsync(readTree(directory), { code: 'ERR_CGROUP_VERSION', message: /not on cgroup v2; / });
    await t.throwsAsync(readTree(join(directory, 'missing')), { code: 'ERR_CGROUP_NOT_FOUND' });
  },
);

serial('an aborted read rejects with the reason, and the reader goes on', async (t) => {
  const contents = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`c${index}/pids.current`, '1\n']),
  );
  const reader = await foreignReader(t, await copiedTree(t, contents));
  const reason = new Error('enough');
  const control = new AbortController();
  const reading = reader.read({ signal: control.signal });
  control.abort(reason);
  t.is(await t.throwsAsync(reading), reason);
  t.is((await reader.read()).nodes.length, 301);
});

const source = new URL('../src/index.ts', import.meta.url).href;

serial(
  'where descriptors are scarce some are given back, and where there are none the read fails',
  async (t) => {
    const directory = await copiedTree(
      t,
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`c${index}/pids.current`, `${index}\n`])),
    );
    const script = `
    import { closeSync, openSync } from 'node:fs';
    const { CgroupReader } = await import(${JSON.stringify(source)});
    const reader = await CgroupReader.open(${JSON.stringify(directory)}, { foreign: true });
    const sum = (tree) => tree.nodes.reduce((sum, { pids }) => sum + (pids.current ?? 0), 0);
    const sums = [sum(await reader.read()), sum(await reader.read())];
    // Somebody else takes all that is left.
    const taken = [];
    try {
      for (;;) taken.push(openSync('/dev/null'));
    } catch {}
    sums.push(sum(await reader.read()));
    for (let left = taken.length; left < 1000; left += 1) {
      try {
        taken.push(openSync('/dev/null'));
      } catch {
        break;
      }
    }
    const few = await reader.read().then(sum, (error) => error.cause.errno);
    taken.forEach(closeSync);
    sums.push(few === 'EMFILE' || few === sums[0], sum(await reader.read()));
    console.log(JSON.stringify(sums));
    reader.close();`;
    const node = [process.execPath, '--conditions=source', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)('/bin/sh', [
      '-c',
      'ulimit -n 100; exec "$@"',
      'sh',
      ...node,
    ]);
    const sum = (299 * 300) / 2;
    t.deepEqual(JSON.parse(stdout), [sum, sum, sum, true, sum]);
  },
);

serial('all readers of a process together keep within 80 % of what it may open', async (t) => {
  const contents = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`c${index}/pids.current`, `${index}\n`]),
  );
  const directory = await copiedTree(t, contents);
  const script = `
    import { readdirSync, readlinkSync } from 'node:fs';
    const { CgroupReader } = await import(${JSON.stringify(source)});
    const directory = ${JSON.stringify(directory)};
    const readers = [];
    for (let count = 0; count < 2; count += 1) readers.push(await CgroupReader.open(directory, { foreign: true }));
    const trees = [];
    for (const reader of [...readers, ...readers]) trees.push(await reader.read());
    const open = readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync('/proc/self/fd/' + fd).startsWith(directory + '/');
      } catch {
        return false;
      }
    });
    const sizes = trees.map(({ nodes }) => nodes.length);
    console.log(JSON.stringify({ limits: trees.map((tree) => tree.descriptors.limit), open: open.length, sizes }));
    for (const reader of readers) reader.close();`;
  const node = [process.execPath, '--conditions=source', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'ulimit -n 150; exec "$@"', 'sh', ...node]);
  const { limits, open, sizes } = JSON.parse(stdout) as { limits: number[]; open: number; sizes: number[] };
  t.deepEqual(limits, [120, 120, 120, 120]);
  t.deepEqual(sizes, [101, 101, 101, 101]);
  t.true(open <= 120, String(open));
  t.true(open > 60, 'what may be kept is kept');
});

serial('a number of descriptors that can not be is refused', async (t) => {
  const directory = await copiedTree(t, {});
  for (const maxHeld of [-1, 1.5, Number.NaN, 2 ** 32]) {
    await t.throwsAsync(CgroupReader.open(directory, { foreign: true, maxHeld }), {
      code: 'ERR_CGROUP_OPTION',
    });
  }
});
