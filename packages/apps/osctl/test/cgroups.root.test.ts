import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { findHierarchy } from '@nodecore/cgroup';
import { root, testWith } from '@nodecore/testkit';

import { controlGroup } from '../../../workload/cgroup/test/control-group.ts';
import { cgroupsOf } from './cgroups-node.ts';

const test = testWith(root);

test("the tree of a node is this machine's, as its files say", async (t) => {
  const directory = await controlGroup(t);
  for (const name of ['web.slice', 'web.slice/a.service', 'web.slice/b.service'])
    mkdirSync(join(directory, name));
  const { run } = await cgroupsOf(t);
  const top = `/${basename(directory)}`;
  const { code, out, error } = await run(['cgroups', top, '--preset', 'process']);
  t.is(code, 0, error);
  const [header = '', ...lines] = out.trimEnd().split('\n');
  t.regex(header, /^NAME +PidsCurrent +PidsPeak +PidsMax +Procs +Threads +Processes$/);
  t.deepEqual(
    lines.map((line) => /^[│├└─ ]*\S+/.exec(line)?.[0]),
    ['.', '└── web.slice', '    ├── a.service', '    └── b.service'],
  );
  const whole = await run(['cgroups', '--preset', 'process', '-o', 'json']);
  const all = JSON.parse(whole.out) as {
    cgroup: string;
    processes: string[];
    values: { processes: number };
  }[];
  const { directory: hierarchy } = await findHierarchy();
  const own = all.find(({ cgroup }) => cgroup === '/');
  const procs = readFileSync(join(hierarchy, 'cgroup.procs'), 'utf8').trimEnd().split('\n');
  t.true(Math.abs((own?.values.processes ?? 0) - procs.length) < 50, 'others come and go meanwhile');
  t.true(procs.includes(String(process.pid)) ? own?.processes.includes('node') : true);
  t.true(all.some(({ cgroup }) => cgroup === `${top}/web.slice/b.service`));
});

test('a watch of this machine follows cgroups that come and go, and its rates are those of the clock', async (t) => {
  const directory = await controlGroup(t);
  mkdirSync(join(directory, 'old'));
  const { run } = await cgroupsOf(t);
  const stop = new AbortController();
  const top = `/${basename(directory)}`;
  let changed = false;
  const { code, out } = await run(
    ['cgroups', top, '--preset', 'cpu', '-w', '--interval', '100ms', '-o', 'json'],
    {
      signal: stop.signal,
      onOutput: (text) => {
        if (text === '') return; // what went to standard error
        if (!changed) {
          rmdirSync(join(directory, 'old'));
          mkdirSync(join(directory, 'new'));
        }
        changed = true;
        if (text.includes(`"cgroup":"${top}/new"`)) stop.abort(new Error('interrupted'));
      },
    },
  );
  t.is(code, 130);
  const objects = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.is(objects[0].cgroup, top);
  t.is(objects[0].rates.cpuUserUs, 0, 'nobody runs there');
  t.true(objects.some(({ cgroup }) => cgroup === `${top}/old`));
  const last = objects.slice(objects.findLastIndex(({ cgroup }) => cgroup === top));
  t.deepEqual(
    last.map(({ cgroup }) => cgroup),
    [top, `${top}/new`],
  );
});

test('the pressure of this machine is live', async (t) => {
  const directory = await controlGroup(t);
  mkdirSync(join(directory, 'a'));
  const { run } = await cgroupsOf(t);
  const stop = new AbortController();
  let lines = 0;
  const { out } = await run(['pressure', '-w', '--interval', '100ms', '--top', '1000', '-o', 'json'], {
    signal: stop.signal,
    onOutput: (text) => {
      lines = text
        .split('\n')
        .filter((line) => line.includes('"recent"') && !line.includes('"cgroup"')).length;
      if (lines > 2) stop.abort(new Error('interrupted'));
    },
  });
  const objects = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const { pressure } of objects.filter(({ cgroup }) => cgroup === undefined))
    t.true(pressure.cpu.some.recent >= 0 && pressure.cpu.some.recent <= 100);
  t.true(objects.some(({ cgroup }) => cgroup === `/${basename(directory)}/a`));
});
