import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  command,
  loopDevice,
  output,
  root,
  temporaryDirectory,
  testWith,
  virtualNode,
} from '@nodecore/testkit';

import { act, findHierarchy, HeldCgroup } from '../src/index.ts';
import { controlGroup } from './control-group.ts';

const test = testWith(root, virtualNode);
const mib = 2 ** 20;

function memoryOf(directory: string): number {
  return Number(readFileSync(join(directory, 'memory.current'), 'utf8'));
}

test('file pages of a cgroup are reclaimed, and no more than there are', async (t) => {
  await writeFile(join((await findHierarchy()).directory, 'cgroup.subtree_control'), '+memory');
  const directory = await controlGroup(t);
  const { path } = await loopDevice(t, { sizeBytes: 96 * mib });
  await output(['mkfs.ext4', '-q', path]);
  const target = await temporaryDirectory(t);
  await output(['mount', path, target]);
  t.teardown(() => command(['umount', target]));
  const file = join(target, 'file');
  const script = `echo $$ > ${directory}/cgroup.procs; head -c 32M /dev/zero > ${file}; sync ${file}`;
  await output(['sh', '-c', script]);
  await using held = await HeldCgroup.open(directory);
  const before = memoryOf(directory);
  t.true(before > 30 * mib, String(before));
  const some = await act.reclaim(held, 16 * mib);
  t.true(some.reclaimedBytes >= 16 * mib, JSON.stringify(some));
  t.true(some.afterBytes < before - 12 * mib, JSON.stringify(some));
  const rest = await act.reclaim(held, 1024 * mib);
  t.true(rest.reclaimedBytes < 32 * mib, JSON.stringify(rest));
  t.true(memoryOf(directory) < 8 * mib);
  // One that never had memory: the kernel gives back pages of the other one by itself, at a time of its own.
  await using empty = await HeldCgroup.open(await controlGroup(t));
  await t.throwsAsync(act.reclaim(empty, 1024 * mib), { code: 'ERR_CGROUP_UNVERIFIED' });
});

test("memory.high is lowered, given back, and left alone when it is somebody else's", async (t) => {
  await writeFile(join((await findHierarchy()).directory, 'cgroup.subtree_control'), '+memory');
  const directory = await controlGroup(t);
  await using held = await HeldCgroup.open(directory);
  const high = (): string => readFileSync(join(directory, 'memory.high'), 'utf8').trim();
  const limited = await act.limitFor(held, 10 * mib + 12_345);
  t.deepEqual(limited, { former: 'max', written: String(10 * mib) });
  t.is(high(), 'max', 'nothing is done yet');
  await act.limitMemory(held, limited);
  t.is(high(), String(10 * mib));
  await t.throwsAsync(act.limitFor(held, 20 * mib), { code: 'ERR_CGROUP_OPTION' });
  t.true(await act.unlimitMemory(held, limited));
  t.is(high(), 'max');
  await act.limitMemory(held, limited);
  await writeFile(join(directory, 'memory.high'), '4096');
  t.false(await act.unlimitMemory(held, limited));
  t.is(high(), '4096');
});
