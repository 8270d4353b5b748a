import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { ServiceCgroups } from '../src/index.ts';
import { scene, until } from './supervised.ts';

const [hierarchy = ''] = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].filter((path) =>
  existsSync(join(path, 'cgroup.procs')),
);

/** A cgroup of the test's own, named after its directory. */
async function ownCgroup(t: ExecutionContext): Promise<string> {
  const path = join(hierarchy, basename(await temporaryDirectory(t)));
  await mkdir(path);
  t.teardown(() => rmdir(path));
  return path;
}

testWith(root)('a service begins in an empty cgroup, and what left its session ends with it', async (t) => {
  const path = await ownCgroup(t);
  const left = spawn('sleep', ['1000'], { stdio: 'ignore' });
  t.teardown(() => left.kill('SIGKILL'));
  await mkdir(join(path, 'a'));
  await writeFile(join(path, 'a', 'cgroup.procs'), String(left.pid));
  const ended = once(left, 'exit');
  const one = await scene(t, { cgroups: new ServiceCgroups(path) });
  const argv = ['sh', '-c', '(setsid setsid sleep 1000 &); exec sleep 1000'] as const;
  await one.supervisor.define({ id: 'a', program: { argv, limits: { processes: 20 } } });
  const { missingLimits } = await until(one, 'a', ({ state }) => state === 'Running');
  t.deepEqual(await ended, [null, 'SIGKILL'], 'of a former life');
  const limit = await readFile(join(path, 'a', 'pids.max'), 'utf8').catch(() => undefined);
  if (limit === undefined) t.deepEqual(missingLimits, ['pids.max'], 'this hierarchy has no such controller');
  else t.is(limit, '20\n');
  await one.supervisor.withdraw('a');
  t.false(existsSync(join(path, 'a')));
});
