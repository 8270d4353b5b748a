import test from 'ava';

import { findHierarchy } from '../src/index.ts';

const line = (directory: string, type: string, options: string): string =>
  `26 25 0:23 / ${directory} rw,nosuid shared:9 - ${type} ${type} ${options}\n`;

test('a machine that is all v2 has its hierarchy at the usual place', async (t) => {
  const mountinfo = line('/proc', 'proc', 'rw') + line('/sys/fs/cgroup', 'cgroup2', 'rw,nsdelegate');
  t.deepEqual(await findHierarchy({ mountinfo }), { directory: '/sys/fs/cgroup', elsewhere: [] });
});

test('a machine that mixes both tells where v2 is, and which controllers it lacks', async (t) => {
  const mountinfo =
    line('/sys/fs/cgroup/cpu,cpuacct', 'cgroup', 'rw,cpu,cpuacct') +
    line('/sys/fs/cgroup/memory', 'cgroup', 'rw,memory') +
    line('/sys/fs/cgroup/systemd', 'cgroup', 'rw,xattr,name=systemd') +
    line('/var/my\\040mount', 'cgroup2', 'rw') +
    line('/sys/fs/cgroup/unified', 'cgroup2', 'rw');
  t.deepEqual(await findHierarchy({ mountinfo }), {
    directory: '/sys/fs/cgroup/unified',
    elsewhere: ['cpu', 'cpuacct', 'memory'],
  });
});

test('a mount point may have any name', async (t) => {
  const { directory } = await findHierarchy({ mountinfo: line('/var/my\\040mount', 'cgroup2', 'rw') });
  t.is(directory, '/var/my mount');
});

test('a machine with cgroup v1 only is told apart from one with none, and says what it has', async (t) => {
  const first =
    line('/sys/fs/cgroup/memory', 'cgroup', 'rw,memory') +
    line('/sys/fs/cgroup/cpu', 'cgroup', 'rw,cpu,cpuacct');
  await t.throwsAsync(findHierarchy({ mountinfo: first }), {
    code: 'ERR_CGROUP_VERSION',
    message: /only cgroup v1: memory at \/sys\/fs\/cgroup\/memory; cpu,cpuacct at \/sys\/fs\/cgroup\/cpu$/,
  });
  await t.throwsAsync(findHierarchy({ mountinfo: '' }), {
    code: 'ERR_CGROUP_VERSION',
    message: /no cgroup filesystem is mounted/,
  });
});
