import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root, testWith, virtualNode } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { findHierarchy, pressure, type PressureAlert, type WatchPressureOptions } from '../src/index.ts';
import { controlGroup } from './control-group.ts';

const test = testWith(root, virtualNode);

/** Runs a shell command in a cgroup until the test ends. */
async function within(t: ExecutionContext, directory: string, command: string): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', `read line; ${command}`], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    await writeFile(join(directory, 'cgroup.kill'), '1');
    await ended;
    const deadline = performance.now() + 10_000;
    while (readFileSync(join(directory, 'cgroup.events'), 'utf8').includes('populated 1')) {
      if (performance.now() > deadline) throw new Error(`${directory} is still populated`);
      await new Promise(setImmediate);
    }
  });
  await writeFile(join(directory, 'cgroup.procs'), String(child.pid));
  child.stdin?.end('go\n');
  return child;
}

async function first(options: WatchPressureOptions): Promise<PressureAlert | undefined> {
  const alerts = await pressure.watch({ ...options, signal: AbortSignal.timeout(60_000) });
  const { value } = await alerts.next();
  await alerts.close();
  return value;
}

const spinning = 'sh -c "while :; do :; done" & while :; do :; done';

async function memoryCgroup(t: ExecutionContext): Promise<string> {
  await writeFile(join((await findHierarchy()).directory, 'cgroup.subtree_control'), '+memory +cpu');
  return await controlGroup(t);
}

test('a process that wants more memory than its cgroup may have fires the trigger of that cgroup', async (t) => {
  const directory = await memoryCgroup(t);
  await writeFile(join(directory, 'memory.high'), String(8 << 20));
  const other = await memoryCgroup(t);
  const quiet = await pressure.watch({
    resource: 'memory',
    kind: 'some',
    stallUs: 1000,
    windowUs: 1_000_000,
    target: { cgroup: other },
    sampling: 'never',
  });
  const silence = quiet.next();
  const armed = first({
    resource: 'memory',
    kind: 'some',
    stallUs: 100_000,
    windowUs: 1_000_000,
    target: { cgroup: directory },
    sampling: 'never',
  });
  await within(t, directory, 'head -c 64M /dev/zero | tail');
  const alert = await armed;
  t.false(alert?.sampled);
  t.true((alert?.reading.some?.totalUs ?? 0n) >= 100_000n, String(alert?.reading.some?.totalUs));
  const { memory } = await pressure.read({ cgroup: other });
  t.is(memory?.some?.totalUs, 0n);
  await quiet.close();
  t.deepEqual(await silence, { done: true, value: undefined });
});

test('processes that want more processors than there are fire the trigger of the machine and of their cgroup', async (t) => {
  const directory = await memoryCgroup(t);
  const condition = {
    resource: 'cpu',
    kind: 'some',
    stallUs: 100_000,
    windowUs: 500_000,
    sampling: 'never',
  } as const;
  const both = Promise.all([first(condition), first({ ...condition, target: { cgroup: directory } })]);
  await within(t, directory, spinning);
  for (const alert of await both) t.true((alert?.reading.some?.totalUs ?? 0n) > 0n);
});

test('every window and threshold that the kernel documents is armed, and its neighbours are refused', async (t) => {
  const directory = await memoryCgroup(t);
  const windows = [500_000, 700_001, 1_000_000, 2_000_000, 9_999_999, 10_000_000];
  for (const target of ['system', { cgroup: directory }] as const) {
    for (const resource of ['cpu', 'memory', 'io'] as const) {
      for (const kind of ['some', 'full'] as const) {
        for (const windowUs of windows) {
          for (const stallUs of [1, 1000, windowUs]) {
            const options = { resource, kind, windowUs, stallUs, target, sampling: 'never' } as const;
            await t.notThrowsAsync(
              async () => await (await pressure.watch(options)).close(),
              JSON.stringify(options),
            );
          }
        }
      }
    }
  }
  for (const wrong of [
    { windowUs: 499_999 },
    { windowUs: 10_000_001 },
    { stallUs: 0 },
    { stallUs: 1_000_001 },
  ]) {
    const options = { resource: 'cpu', kind: 'some', windowUs: 1_000_000, stallUs: 1, ...wrong } as const;
    await t.throwsAsync(pressure.watch(options), { code: 'ERR_CGROUP_OPTION' }, JSON.stringify(wrong));
  }
});

test('there is at most one alert per window, and the next one is not late', async (t) => {
  const directory = await memoryCgroup(t);
  await within(t, directory, spinning);
  for (const windowUs of [500_000, 1_000_000]) {
    const alerts = await pressure.watch({
      resource: 'cpu',
      kind: 'some',
      stallUs: windowUs / 10,
      windowUs,
      target: { cgroup: directory },
      sampling: 'never',
    });
    const times: number[] = [];
    for await (const { atNs } of alerts) {
      times.push(Number(atNs) / 1000);
      if (times.length === 5) break;
    }
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    // Over all of them: one that an emulated machine heard late comes closer to its next one.
    t.true((times.at(-1) ?? 0) - (times[0] ?? 0) > windowUs * gaps.length * 0.9, gaps.join(', '));
    t.true(Math.max(...gaps) < windowUs * 2, gaps.join(', '));
  }
});

/** The kernel's threads that look after triggers: one for each cgroup that has any. */
function monitors(): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'psimon\n';
    } catch {
      return false; // ended meanwhile
    }
  }).length;
}

test('the kernel has no trigger left when a watch is closed', async (t) => {
  const directory = await memoryCgroup(t);
  const before = monitors();
  const alerts = await pressure.watch({
    resource: 'cpu',
    kind: 'some',
    stallUs: 1000,
    windowUs: 1_000_000,
    target: { cgroup: directory },
    sampling: 'never',
  });
  t.is(monitors(), before + 1);
  await alerts.close();
  const deadline = performance.now() + 10_000;
  while (monitors() > before && performance.now() < deadline) await new Promise(setImmediate);
  t.is(monitors(), before);
});

const index = new URL('../src/index.ts', import.meta.url).href;

/** What a process with fewer privileges gets for each window: a trigger, or looks, or an error. */
async function asked(
  prefix: readonly string[],
  directory: string,
  windows: readonly number[],
): Promise<unknown> {
  const script = `
    const { pressure } = await import(${JSON.stringify(index)});
    const answers = [];
    for (const windowUs of ${JSON.stringify(windows)}) {
      for (const sampling of ['never', 'fall-back']) {
        try {
          const alerts = await pressure.watch({ resource: 'cpu', kind: 'some', stallUs: 1, windowUs, sampling,
            target: { cgroup: ${JSON.stringify(directory)} } });
          const { value } = await alerts.next();
          answers.push(value.sampled ? 'looks' : 'trigger');
          await alerts.close();
        } catch (error) {
          answers.push(error.code);
        }
      }
    }
    console.log(JSON.stringify(answers));`;
  const argv = ['--conditions=source', '--input-type=module', '--eval', script];
  const [program, ...rest] = [...prefix, process.execPath, ...argv] as [string, ...string[]];
  const { stdout } = await promisify(execFile)(program, rest);
  return JSON.parse(stdout);
}

test('without CAP_SYS_RESOURCE only multiples of 2 s are triggers, and the rest is looked at', async (t) => {
  const directory = await memoryCgroup(t);
  await within(t, directory, spinning);
  const prefix = ['setpriv', '--bounding-set', '-sys_resource'];
  t.deepEqual(await asked(prefix, directory, [500_000, 2_000_000]), [
    'ERR_CGROUP_DENIED',
    'looks',
    'trigger',
    'trigger',
  ]);
});

test('who may not write to the file looks at it', async (t) => {
  const directory = await memoryCgroup(t);
  await within(t, directory, spinning);
  const prefix = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'];
  t.deepEqual(await asked(prefix, directory, [2_000_000]), ['ERR_CGROUP_DENIED', 'looks']);
});
