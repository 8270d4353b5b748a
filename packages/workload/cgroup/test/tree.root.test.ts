import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root, testWith } from '@nodecore/testkit';

import { CgroupReader, readTree } from '../src/index.ts';
import { controlGroup } from './control-group.ts';

const test = testWith(root);

/** Files that say something else every time, or that can't be read. */
const moving = /\.pressure$|^cgroup\.kill$|^memory\.reclaim$|^cpu\.stat|^cgroup\.stat\.local$/;

test('5000 cgroups are read as their files say, byte for byte', async (t) => {
  const directory = await controlGroup(t);
  const paths = Array.from({ length: 5000 }, (_, index) => `/p${index % 50}/c${index}`);
  for (let index = 0; index < 50; index += 1) mkdirSync(join(directory, `p${index}`));
  for (const path of paths) mkdirSync(join(directory, path));
  using reader = await CgroupReader.open(directory);
  // The second scan reads what is kept open, and the rest on the other path.
  for (const tree of [await reader.read(), await reader.read()]) {
    t.is(tree.nodes.length, 5051);
    t.true(tree.descriptors.held <= tree.descriptors.limit);
    t.true(tree.descriptors.held > 0);
    const different: string[] = [];
    for (const node of tree.nodes) {
      const files = readdirSync(join(directory, node.path), { withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      for (const { name } of files.filter(({ name }) => !moving.test(name))) {
        const text = readFileSync(join(directory, node.path, name), 'utf8');
        if (node.text(name) !== text) different.push(`${node.path}/${name}`);
      }
      for (const { name } of files.filter(
        ({ name }) => name.endsWith('.pressure') && name !== 'cgroup.pressure',
      )) {
        if (!/^(some|full) avg10=/.test(node.text(name) ?? '')) different.push(`${node.path}/${name}`);
      }
    }
    t.deepEqual(different, []);
    t.deepEqual(tree.find('/p7/c7')?.refused(), new Map());
  }
});

test('a list of processes that is longer than a page comes whole', async (t) => {
  // So many are longer than a page also when all their ids have three digits.
  const directory = await controlGroup(t);
  const shell = spawn(
    '/bin/sh',
    ['-c', 'read line; for i in $(seq 1100); do sleep 1000 & done; echo ready; wait'],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const ended = once(shell, 'exit');
  try {
    await writeFile(join(directory, 'cgroup.procs'), String(shell.pid));
    // Only now: what it starts is in there, too.
    shell.stdin.end('go\n');
    await once(shell.stdout, 'data');
    const { root } = await readTree(directory);
    const ids = root.cgroup.procs ?? [];
    t.true((root.text('cgroup.procs') ?? '').length > 4096);
    t.true(ids.length >= 1100, String(ids.length));
    t.is(new Set(ids).size, ids.length);
    t.true(ids.includes(shell.pid ?? 0));
    t.true((root.cgroup.threads?.length ?? 0) >= ids.length);
  } finally {
    await writeFile(join(directory, 'cgroup.kill'), '1');
    await ended;
    await emptied(directory);
  }
});

/** The kernel lets go of the last process a moment after its end. */
async function emptied(directory: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (readFileSync(join(directory, 'cgroup.events'), 'utf8').includes('populated 1')) {
    if (performance.now() > deadline) throw new Error(`${directory} is still populated`);
    await new Promise(setImmediate);
  }
}

test('cgroups that come and go while they are read leave whole ones behind', async (t) => {
  const directory = await controlGroup(t);
  for (let index = 0; index < 400; index += 1) mkdirSync(join(directory, `c${index}`));
  using reader = await CgroupReader.open(directory);
  await reader.read();
  const enough = new AbortController();
  const churn = (async () => {
    for (let round = 0; !enough.signal.aborted; round += 1) {
      const path = join(directory, `c${(round * 7) % 400}`);
      await rmdir(path);
      await mkdir(path);
    }
  })();
  let gone = 0;
  for (let round = 0; round < 60; round += 1) {
    const tree = await reader.read();
    gone += tree.gone.length;
    for (const node of tree.nodes) {
      // One that went in the middle of its files has some of them; what it has is whole.
      const events = node.text('cgroup.events');
      if (events !== undefined) t.is(events, 'populated 0\nfrozen 0\n');
    }
    t.is(new Set(tree.nodes.map(({ path }) => path)).size, tree.nodes.length);
    t.true(tree.nodes.length >= 399 && tree.nodes.length <= 401, String(tree.nodes.length));
  }
  enough.abort();
  await churn;
  t.true(gone > 0);
  const after = await reader.read();
  t.is(after.nodes.length, 401);
  t.true(after.nodes.every((node) => node.text('cgroup.procs') === '' || node === after.root));
});

test('one removed and one made between two scans are both noticed', async (t) => {
  const directory = await controlGroup(t);
  mkdirSync(join(directory, 'old'));
  mkdirSync(join(directory, 'same'));
  using reader = await CgroupReader.open(directory);
  const first = await reader.read({ files: [] });
  // The parent's count of children is as it was.
  rmdirSync(join(directory, 'old'));
  mkdirSync(join(directory, 'new'));
  rmdirSync(join(directory, 'same'));
  mkdirSync(join(directory, 'same'));
  const second = await reader.read({ files: [] });
  t.deepEqual(
    second.nodes.map(({ path }) => path),
    ['/', '/new', '/same'],
  );
  t.deepEqual(second.gone.map(({ path }) => path).sort(), ['/old', '/same']);
  t.not(second.find('/same')?.id, first.find('/same')?.id);
});

test('pressure that is switched off and on again is absent and there again', async (t) => {
  const directory = await controlGroup(t);
  mkdirSync(join(directory, 'a'));
  using reader = await CgroupReader.open(directory);
  t.not((await reader.read()).find('/a')?.pressure.cpu, undefined);
  await writeFile(join(directory, 'a', 'cgroup.pressure'), '0');
  const off = (await reader.read()).find('/a');
  t.is(off?.pressure.cpu, undefined);
  t.is(off?.cgroup.pressure, false);
  await writeFile(join(directory, 'a', 'cgroup.pressure'), '1');
  t.not((await reader.read()).find('/a')?.pressure.cpu, undefined);
});

test('a root that is gone is told', async (t) => {
  const directory = await controlGroup(t);
  const path = join(directory, 'a');
  mkdirSync(path);
  using reader = await CgroupReader.open(path);
  await reader.read();
  rmdirSync(path);
  await t.throwsAsync(reader.read(), { code: 'ERR_CGROUP_NOT_FOUND' });
});

test('few descriptors are enough, and the answer is the same', async (t) => {
  const directory = await controlGroup(t);
  for (let index = 0; index < 100; index += 1) mkdirSync(join(directory, `c${index}`));
  using few = await CgroupReader.open(directory, { maxHeld: 7 });
  using none = await CgroupReader.open(directory, { maxHeld: 0 });
  const files = ['cgroup.events', 'cgroup.stat', 'cgroup.type'];
  const texts = async (reader: CgroupReader): Promise<unknown> =>
    (await reader.read({ files })).nodes.map((node) => [node.path, ...files.map((file) => node.text(file))]);
  const expected = await texts(few);
  t.deepEqual(await texts(few), expected);
  t.deepEqual(await texts(none), expected);
  t.is((await none.read()).descriptors.held, 0);
});
