import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root, testWith, virtualNode } from '@nodecore/testkit';

import { CgroupReader, findHierarchy, ratesBetween } from '../src/index.ts';
import { controlGroup } from './control-group.ts';

const test = testWith(root, virtualNode);

/** Files that can only be written, and those that another read says differently by design. */
const unlike = /^(cgroup\.kill|memory\.reclaim)$|\.pressure$/;

async function withControllers(directory: string): Promise<readonly string[]> {
  const controllers = readFileSync(join(directory, 'cgroup.controllers'), 'utf8').trim().split(' ');
  await writeFile(join(directory, 'cgroup.subtree_control'), controllers.map((name) => `+${name}`).join(' '));
  return controllers;
}

/** A cgroup whose children have every controller that this kernel has. */
async function controlled(t: Parameters<typeof controlGroup>[0]): Promise<string> {
  await withControllers((await findHierarchy()).directory);
  const directory = await controlGroup(t);
  await withControllers(directory);
  return directory;
}

function filesOf(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !unlike.test(entry.name))
    .map(({ name }) => name);
}

test('every file of every controller is read as it is', async (t) => {
  const directory = await controlled(t);
  for (let index = 0; index < 100; index += 1) mkdirSync(join(directory, `c${index}`));
  await writeFile(join(directory, 'c7', 'memory.max'), '67108864');
  await writeFile(join(directory, 'c7', 'cpu.max'), '50000 100000');
  await writeFile(join(directory, 'c7', 'pids.max'), '77');
  using reader = await CgroupReader.open(directory);
  for (const round of ['first', 'second']) {
    const before = new Map<string, string>();
    for (let index = 0; index < 100; index += 1) {
      for (const file of filesOf(join(directory, `c${index}`))) {
        before.set(`/c${index}/${file}`, readFileSync(join(directory, `c${index}`, file), 'utf8'));
      }
    }
    const tree = await reader.read();
    let moved = 0;
    for (const [path, text] of before) {
      const at = path.lastIndexOf('/');
      const read = tree.find(path.slice(0, at))?.text(path.slice(at + 1));
      if (read === text) continue;
      // The kernel counts on meanwhile; then it says something else afterwards, too.
      moved += 1;
      t.not(readFileSync(join(directory, path), 'utf8'), text, `${path} in the ${round} scan`);
    }
    t.true(moved <= before.size / 50, `${moved} of ${before.size} moved`);
    t.true(before.size > 100 * 40, String(before.size));
  }
  const seven = (await reader.read()).find('/c7');
  t.is(seven?.memory.max, 64 * 2 ** 20);
  t.is(seven?.memory.high, Infinity);
  t.deepEqual(seven?.cpu.max, { quotaUs: 50_000, periodUs: 100_000 });
  t.is(seven?.pids.max, 77);
  t.is(seven?.pids.current, 0);
  t.is(seven?.memory.numaStat?.get('anon')?.get('N0'), 0);
  t.is(seven?.memory.events?.get('oom_kill'), 0);
  t.is(seven?.memory.oomGroup, false);
  t.deepEqual(seven?.cpuset.cpusEffective?.[0]?.first, 0);
});

test('5000 cgroups with a controller are all there, and each says what its files say', async (t) => {
  const directory = await controlled(t);
  // Only what is cheap to make: other controllers need a megabyte for each cgroup.
  const others = readFileSync(join(directory, 'cgroup.subtree_control'), 'utf8').trim().split(' ');
  const switched = others.filter((name) => name !== 'pids').map((name) => `-${name}`);
  await writeFile(join(directory, 'cgroup.subtree_control'), switched.join(' '));
  for (let index = 0; index < 5000; index += 1) mkdirSync(join(directory, `c${index}`));
  for (let index = 0; index < 5000; index += 100) {
    await writeFile(join(directory, `c${index}`, 'pids.max'), String(index + 1));
  }
  using reader = await CgroupReader.open(directory);
  const files = ['pids.max', 'pids.current', 'cgroup.events', 'cgroup.type', 'cgroup.procs', 'cgroup.stat'];
  const texts = Array.from({ length: 5000 }, (_, index) =>
    files.map((file) => readFileSync(join(directory, `c${index}`, file), 'utf8')),
  );
  for (const tree of [await reader.read({ files }), await reader.read({ files })]) {
    t.is(tree.nodes.length, 5001);
    const different = texts.flatMap((expected, index) =>
      files
        .filter((file, at) => tree.find(`/c${index}`)?.text(file) !== expected[at])
        .map((file) => `/c${index}/${file}`),
    );
    t.deepEqual(different, []);
    t.is(tree.find('/c4900')?.pids.max, 4901);
    t.is(tree.find('/c4901')?.pids.max, Infinity);
  }
});

test('controllers that are switched on and off below a cgroup come and go', async (t) => {
  const directory = await controlled(t);
  await writeFile(join(directory, 'cgroup.subtree_control'), '-memory');
  mkdirSync(join(directory, 'a'));
  using reader = await CgroupReader.open(directory);
  t.is((await reader.read()).find('/a')?.memory.current, undefined);
  await writeFile(join(directory, 'cgroup.subtree_control'), '+memory');
  t.is((await reader.read()).find('/a')?.memory.current, 0);
  await writeFile(join(directory, 'cgroup.subtree_control'), '-memory');
  t.is((await reader.read()).find('/a')?.memory.current, undefined);
  await writeFile(join(directory, 'cgroup.subtree_control'), '+memory');
  t.is((await reader.read()).find('/a')?.memory.current, 0);
});

test('cgroups that are removed while they are read are absent, and nothing fails', async (t) => {
  const directory = await controlled(t);
  for (let index = 0; index < 200; index += 1) mkdirSync(join(directory, `c${index}`));
  using reader = await CgroupReader.open(directory);
  await reader.read();
  const reading = reader.read();
  for (let index = 0; index < 200; index += 2) rmdirSync(join(directory, `c${index}`));
  await reading;
  const tree = await reader.read();
  t.is(tree.nodes.length, 101);
  t.true(tree.nodes.slice(1).every(({ path }) => Number(path.slice(2)) % 2 === 1));
  t.true(tree.nodes.every((node) => node.refused().size === 0));
});

test('rates of a cgroup that works are what it does', async (t) => {
  const directory = await controlled(t);
  mkdirSync(join(directory, 'a'));
  using reader = await CgroupReader.open(directory);
  const before = await reader.read();
  await writeFile(join(directory, 'a', 'cgroup.procs'), String(process.pid));
  t.teardown(async () =>
    writeFile(join((await findHierarchy()).directory, 'cgroup.procs'), String(process.pid)),
  );
  const until = performance.now() + 1000;
  while (performance.now() < until) await readdir('/');
  const after = await reader.read();
  await writeFile(join((await findHierarchy()).directory, 'cgroup.procs'), String(process.pid));
  const usage = ratesBetween(before, after)
    .find(({ node }) => node.path === '/a')
    ?.counters.get('cpu.stat usage_usec');
  // One processor: microseconds per second are at most a million, and it had little else to do.
  t.true(
    usage !== undefined && 'perSecond' in usage && usage.perSecond > 200_000 && usage.perSecond < 1_100_000,
    JSON.stringify(usage),
  );
});
