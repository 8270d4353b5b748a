import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Json } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { scrubFilesystem, type ScrubResult } from '../src/scrubs/scrub.ts';
import { Scrubs } from '../src/scrubs/scrubs.ts';

const never = new AbortController().signal;
const day = 86_400_000;

async function node(t: ExecutionContext) {
  const file = join(await temporaryDirectory(t), 'scrubs.json');
  const clock = new FakeClock();
  const checked: string[] = [];
  let statuses: ReadonlyMap<string, Json> = new Map();
  const results = new Map<string, ScrubResult>();
  const started = (): Scrubs =>
    new Scrubs({
      clock,
      log: pino({ level: 'silent' }),
      targets: () => ['STATE', 'u-data'].map((volume) => ({ volume, target: `/mnt/${volume}` })),
      scrub: (target) => {
        checked.push(target);
        return Promise.resolve(results.get(target) ?? { result: 'clean' });
      },
      file: () => Promise.resolve(file),
      publish: (next) => (statuses = next),
    });
  return { file, clock, checked, results, started, statuses: () => Object.fromEntries(statuses) };
}

test('each filesystem is checked when its interval is over, also by the next agent', async (t) => {
  const { clock, checked, results, started, statuses, file } = await node(t);
  const first = started();
  await first.look(never);
  t.deepEqual(statuses(), {});
  first.configure(() => 7 * day);
  await first.look(never);
  t.deepEqual(statuses(), {
    STATE: { mountpoint: '/mnt/STATE', intervalSeconds: 604_800 },
    'u-data': { mountpoint: '/mnt/u-data', intervalSeconds: 604_800 },
  });
  clock.advance(6 * day);
  const second = started();
  second.configure(() => 7 * day);
  await second.look(never);
  t.deepEqual(checked, []);
  clock.advance(day);
  results.set('/mnt/STATE', { result: 'impossible', error: 'no' });
  await second.look(never);
  await second.look(never);
  t.deepEqual(checked, ['/mnt/STATE', '/mnt/u-data']);
  t.like(statuses(), {
    STATE: { result: 'impossible', error: 'no' },
    'u-data': { result: 'clean', last: new Date(clock.now()).toISOString() },
  });
  t.is(JSON.parse(await readFile(file, 'utf8')).STATE, clock.now());
  second.configure(() => undefined);
  t.deepEqual(statuses(), {});
});

test('a clock that is set back keeps no filesystem from being checked: an interval is counted from then on', async (t) => {
  const { clock, checked, started, file } = await node(t);
  const scrubs = started();
  scrubs.configure(() => day);
  await scrubs.look(never);
  clock.setBack(300 * day);
  await scrubs.look(never);
  t.deepEqual(checked, []);
  t.is(JSON.parse(await readFile(file, 'utf8')).STATE, clock.now());
  clock.advance(day);
  await scrubs.look(never);
  t.deepEqual(checked, ['/mnt/STATE', '/mnt/u-data']);
});

test('the words and the exit code of xfs_scrub are its result', async (t) => {
  const program = join(await temporaryDirectory(t), 'xfs_scrub');
  const result = async (script: string): Promise<ScrubResult> => {
    await writeFile(program, `#!/bin/sh\n[ "$*" = "-b -n /mnt/x" ] || exit 8\n${script}\n`);
    await chmod(program, 0o755);
    return await scrubFilesystem('/mnt/x', never, program);
  };
  t.deepEqual(await result('exit 0'), { result: 'clean' });
  t.like(await result('exit 1'), { result: 'damaged' });
  t.like(await result('exit 5'), { result: 'failed' });
  t.like(await result('exit 8'), { result: 'failed' });
  t.deepEqual(
    await result('echo "Error: x: Kernel metadata scrubbing facility is not available." >&2; exit 4'),
    {
      result: 'impossible',
      error: 'this kernel has no online check of xfs',
    },
  );
  t.deepEqual(await scrubFilesystem('/mnt/x', never, `${program}-absent`), {
    result: 'impossible',
    error: 'xfs_scrub is not on this node',
  });
});

test('a volume is checked as often as it says itself, or not at all', async (t) => {
  const { clock, checked, started, statuses } = await node(t);
  const scrubs = started();
  scrubs.configure((volume) => (volume === 'STATE' ? undefined : day));
  await scrubs.look(never);
  t.deepEqual(statuses(), { 'u-data': { mountpoint: '/mnt/u-data', intervalSeconds: 86_400 } });
  clock.advance(8 * day);
  await scrubs.look(never);
  t.deepEqual(checked, ['/mnt/u-data']);
});
