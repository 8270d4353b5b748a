import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { ServiceCgroups, type ServiceLimits } from '../src/index.ts';

// A directory takes what the kernel's would; that this obeys is in cgroups.root.test.ts.
test('limits are written, those of a former definition are taken back, and memory ends a service as a whole', async (t) => {
  const root = join(await temporaryDirectory(t), 'system');
  const cgroups = new ServiceCgroups(root);
  const files = [
    'memory.min',
    'memory.low',
    'memory.high',
    'memory.max',
    'pids.max',
    'cpu.weight',
    'memory.oom.group',
  ];
  const prepared = async (limits: ServiceLimits): Promise<readonly string[]> => {
    const { path, missing } = await cgroups.prepare('a', limits);
    t.is(path, join(root, 'a'));
    t.deepEqual(missing, []);
    return await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')));
  };
  const all = { memoryMin: 1, memoryLow: 2, memoryHigh: 3, memoryMax: 4, processes: 5, cpuWeight: 6 };
  t.deepEqual(await prepared(all), ['1', '2', '3', '4', '5', '6', '1']);
  t.deepEqual(await prepared({}), ['0', '0', 'max', 'max', 'max', '100', '1']);
  t.is(await readFile(join(root, 'cgroup.subtree_control'), 'utf8'), '+io');
});
