import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { availableMemoryKib, type MemorySource, unusedMemoryKib } from '../src/available-memory.ts';

type Files = Readonly<Record<string, string>>;

/** A kernel's answers, as files; the first lines are those of Linux 6.1. */
async function kernel(t: ExecutionContext, files: Files): Promise<MemorySource> {
  const directory = await mkdtemp(join(tmpdir(), 'memory-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const all: Files = {
    'proc/meminfo':
      'MemTotal:        2000000 kB\nMemFree:          100000 kB\nMemAvailable:     800000 kB\n' +
      'SwapCached:            0 kB\nSwapTotal:        50000 kB\nSwapFree:          20000 kB\n',
    'proc/self/cgroup': '0::/system.slice/agent.service\n',
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(join(directory, name, '..'), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return { proc: join(directory, 'proc'), cgroup: join(directory, 'cgroup') };
}

test('what is available is memory that can be reclaimed, and swap', async (t) => {
  t.is(await availableMemoryKib(await kernel(t, {})), 820_000);
});

test('the limit of a cgroup counts less what its members use, but not their idle file pages', async (t) => {
  const source = await kernel(t, {
    'cgroup/system.slice/agent.service/memory.max': '268435456\n',
    'cgroup/system.slice/agent.service/memory.current': '201326592\n',
    'cgroup/system.slice/agent.service/memory.stat': 'anon 1\nfile 150000000\ninactive_file 67108864\n',
  });
  t.is(await availableMemoryKib(source), 131_072);
});

test('the limit of a cgroup above counts as well', async (t) => {
  const source = await kernel(t, {
    'cgroup/system.slice/memory.max': '104857600\n',
    'cgroup/system.slice/memory.current': '4194304\n',
    'cgroup/system.slice/agent.service/memory.max': 'max\n',
  });
  t.is(await availableMemoryKib(source), 98_304);
});

test('a cgroup beyond its limit has nothing left', async (t) => {
  const source = await kernel(t, {
    'cgroup/system.slice/memory.max': '1048576\n',
    'cgroup/system.slice/memory.current': '2097152\n',
  });
  t.is(await availableMemoryKib(source), 0);
});

test('a machine without cgroups of version 2 has only its memory', async (t) => {
  const source = await kernel(t, { 'proc/self/cgroup': '4:memory:/a\n1:cpu:/\n' });
  t.is(await availableMemoryKib(source), 820_000);
});

test('this machine has an answer', async (t) => {
  t.true((await availableMemoryKib()) > 0);
  t.true((await unusedMemoryKib()) > 0);
});
