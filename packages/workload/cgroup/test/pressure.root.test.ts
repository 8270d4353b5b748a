import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { leakedDescriptors, openDescriptors, root, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { pressure, readTree } from '../src/index.ts';
import { controlGroup } from './control-group.ts';

const test = testWith(root);

/** Processes that want more of the processors than there is, in a cgroup, until the test ends. */
async function processorHogs(t: ExecutionContext, directory: string): Promise<void> {
  for (let count = 0; count < 4; count += 1) {
    const hog = spawn('/bin/sh', ['-c', 'read line; while :; do :; done'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = once(hog, 'exit');
    t.teardown(async () => {
      hog.kill('SIGKILL');
      await ended;
    });
    await writeFile(join(directory, 'cgroup.procs'), String(hog.pid));
    hog.stdin.end('go\n');
  }
}

test('the pressure of the machine and of a cgroup is read', async (t) => {
  const machine = await pressure.read();
  t.true((machine.cpu?.some?.totalUs ?? -1n) >= 0n);
  const directory = await controlGroup(t);
  const group = await pressure.read({ cgroup: directory });
  t.is(group.cpu?.some?.totalUs, 0n);
  t.deepEqual((await readTree(directory)).root.pressure, group);
});

test('a cgroup that is not there, and one that is not accounted, are told apart', async (t) => {
  const directory = await controlGroup(t);
  await t.throwsAsync(pressure.read({ cgroup: join(directory, 'missing') }), {
    code: 'ERR_CGROUP_NOT_FOUND',
  });
  await writeFile(join(directory, 'cgroup.pressure'), '0');
  await t.throwsAsync(pressure.read({ cgroup: directory }), { code: 'ERR_CGROUP_PRESSURE_OFF' });
});

for (const sampling of ['fall-back', 'always'] as const) {
  test(`a stall of a cgroup is told, at most once per window (sampling: ${sampling})`, async (t) => {
    const directory = await controlGroup(t);
    await processorHogs(t, directory);
    const alerts = await pressure.watch({
      resource: 'cpu',
      kind: 'some',
      stallUs: 100_000,
      windowUs: 2_000_000,
      target: { cgroup: directory },
      sampling,
    });
    const times: bigint[] = [];
    for await (const { atNs, reading, sampled } of alerts) {
      t.is(sampled, sampling === 'always');
      t.true((reading.some?.totalUs ?? 0n) >= 100_000n);
      times.push(atNs);
      if (times.length === 3) break;
    }
    const gaps = times.slice(1).map((time, index) => Number(time - (times[index] ?? 0n)) / 1e6);
    t.true(
      gaps.every((gap) => gap > 1900),
      gaps.join(', '),
    );
  });
}

test('a watch that is closed, aborted or left takes its trigger with it', async (t) => {
  const directory = await controlGroup(t);
  const before = openDescriptors();
  const options = {
    resource: 'cpu',
    kind: 'some',
    stallUs: 2_000_000,
    windowUs: 2_000_000,
    target: { cgroup: directory },
  } as const;

  const closed = await pressure.watch(options);
  const waiting = closed.next();
  await closed.close();
  await closed.close();
  t.deepEqual(await waiting, { done: true, value: undefined });
  t.deepEqual(await closed.next(), { done: true, value: undefined });

  const control = new AbortController();
  const aborted = await pressure.watch({ ...options, signal: control.signal });
  const reason = new Error('enough');
  const rejected = t.throwsAsync(aborted.next());
  control.abort(reason);
  t.is(await rejected, reason);

  const sampled = await pressure.watch({ ...options, sampling: 'always' });
  const next = sampled.next();
  await sampled.close();
  t.deepEqual(await next, { done: true, value: undefined });

  t.deepEqual(
    leakedDescriptors(before).filter((line) => line.includes('pressure')),
    [],
  );
});

test('a cgroup that goes ends its watch', async (t) => {
  const directory = join(await controlGroup(t), 'a');
  await mkdir(directory);
  const target = { cgroup: directory };
  const alerts = await pressure.watch({
    resource: 'cpu',
    kind: 'some',
    stallUs: 100_000,
    windowUs: 2_000_000,
    target,
  });
  const ended = t.throwsAsync(alerts.next(), { code: 'ERR_CGROUP_NOT_FOUND' });
  rmdirSync(directory);
  await ended;
  await alerts.close();
});

test('a condition that can not be is refused, and so is a cgroup that is not there', async (t) => {
  const condition = { resource: 'memory', kind: 'some', stallUs: 100_000, windowUs: 2_000_000 } as const;
  await t.throwsAsync(pressure.watch({ ...condition, windowUs: 100_000 }), { code: 'ERR_CGROUP_OPTION' });
  await t.throwsAsync(pressure.watch({ ...condition, stallUs: 3_000_000 }), { code: 'ERR_CGROUP_OPTION' });
  await t.throwsAsync(pressure.watch({ ...condition, target: { cgroup: '/sys/fs/cgroup/missing' } }), {
    code: 'ERR_CGROUP_NOT_FOUND',
  });
});
