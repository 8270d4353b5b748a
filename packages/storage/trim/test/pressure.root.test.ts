import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { mounts } from '@nodecore/block';
import {
  loopDevice,
  type Need,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { Courtesy, MountPoint, readIoPressure, trim, type TrimProgress } from '../src/index.ts';

/** Writers that wait for the disk all the time. Ended by the test. */
function load(t: ExecutionContext, directory: string): () => Promise<void> {
  const writer = 'while :; do dd if=/dev/zero of="$0" bs=4k count=2000 oflag=dsync status=none; done';
  const children = [1, 2, 3].map((n) =>
    spawn('sh', ['-c', writer, join(directory, `load-${n}`)], { stdio: 'ignore', detached: true }),
  );
  const end = async (): Promise<void> => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) continue;
      const ended = once(child, 'close');
      process.kill(-child.pid, 'SIGKILL'); // its group: sh and the dd that it runs
      await ended;
    }
  };
  t.teardown(end);
  return end;
}

const pressure: Need = {
  missing: () =>
    existsSync('/proc/pressure/io') ? undefined : 'pressure stall information (boot with psi=1)',
};

testWith(
  root,
  pressure,
  program('mkfs.ext4'),
)('a trim waits while others wait for I/O, and completes when they do not', async (t) => {
  t.timeout(240_000);
  const { path } = await loopDevice(t, { sizeBytes: 1 << 30 });
  await output(['mkfs.ext4', '-q', '-F', path]);
  const directory = await temporaryDirectory(t);
  const target = join(directory, 'target');
  await mounts.mount({ source: path, target, type: 'ext4' });
  t.teardown(() => mounts.unmount(target));
  await writeFile(join(target, 'file'), randomBytes(64 << 20));
  await output(['sync', '-f', target]);
  await rm(join(target, 'file'));
  await output(['sync', '-f', target]);

  const end = load(t, directory);
  while (((await readIoPressure())?.recent ?? 0) < 0.3) await delay(200);
  const mounted = await MountPoint.find(target);
  if (mounted === undefined) throw new Error('not mounted');
  const states: TrimProgress['state'][] = [];
  const paused = Promise.withResolvers<void>();
  const onProgress = ({ state }: TrimProgress): void => {
    states.push(state);
    if (state === 'paused') paused.resolve();
  };
  // Others on this machine may load it, too: after a while a range is done all the same.
  const trimming = trim(mounted, { courtesy: new Courtesy({ patienceMs: 30_000 }), onProgress });
  await paused.promise;
  await end();
  const report = await trimming;
  t.is(states[0], 'paused', 'before the first range');
  t.true(report.pausedMs >= 1000, `${report.pausedMs} ms`);
  t.is(report.doneBytes, report.totalBytes);
  t.is(states.at(-1), 'trimming');
});
