import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { cgroupLayout, chooseRuntime, runtimeCommand } from '../../src/container/runtime.ts';

const both = (): boolean => true;
const only = (name: string) => (path: string) => path === `/usr/sbin/${name}`;

test('crun is taken where cgroups are of version 2 alone, and either where the other is missing', (t) => {
  t.is(chooseRuntime(undefined, 'v2', both), '/usr/bin/crun');
  t.is(chooseRuntime(undefined, 'hybrid', both), '/usr/bin/runc');
  t.is(chooseRuntime(undefined, 'v1', both), '/usr/bin/runc');
  t.is(chooseRuntime('crun', 'hybrid', both), '/usr/bin/crun');
  t.is(chooseRuntime(undefined, 'v2', only('runc')), '/usr/sbin/runc');
  t.is(chooseRuntime(undefined, 'hybrid', only('crun')), '/usr/sbin/crun');
  t.is(chooseRuntime('runc', 'v2', only('crun')), undefined);
});

test('crun sees no second version of cgroups beside the first, and runc is started as it is', (t) => {
  t.deepEqual(runtimeCommand('/usr/bin/runc', 'hybrid'), ['/usr/bin/runc']);
  for (const layout of ['v1', 'v2'] as const)
    t.deepEqual(runtimeCommand('/usr/bin/crun', layout), ['/usr/bin/crun']);
  const [program, ...more] = runtimeCommand('/usr/bin/crun', 'hybrid');
  t.is(program, 'unshare');
  t.is(more.at(-1), '/usr/bin/crun');
});

test('how cgroups are mounted is read off the mounts', async (t) => {
  const root = await temporaryDirectory(t);
  t.is(cgroupLayout(root), 'v1');
  await mkdir(join(root, 'unified'));
  await writeFile(join(root, 'unified/cgroup.controllers'), '');
  t.is(cgroupLayout(root), 'hybrid');
  await writeFile(join(root, 'cgroup.controllers'), '');
  t.is(cgroupLayout(root), 'v2');
});
