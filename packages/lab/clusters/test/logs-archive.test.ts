import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { ClusterDirectory, destroyCluster } from '../src/index.ts';
import { archiveLogs } from '../src/logs-archive.ts';

test('an archive of logs has nothing of what a machine has or shares, whatever its name is', async (t) => {
  const home = await temporaryDirectory(t);
  const directory = new ClusterDirectory(join(home, 'clusters'), 'example');
  await directory.make();
  const node = join(directory.path, 'nodes', '1');
  const theirs = [
    join(node, 'shares', 'data', 'my app.log'),
    join(node, 'data', 'log', 'pods', 'p'.repeat(120), '0.log'),
    join(directory.path, 'volumes', 'v', 'x.log'),
  ];
  for (const path of theirs) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'theirs');
  }
  await mkdir(directory.lan);
  for (const path of [
    join(directory.path, 'keeper.log'),
    join(directory.lan, 'dnsmasq.log'),
    join(node, 'console.log'),
  ])
    await writeFile(path, path);
  const archive = join(home, 'logs.tar.gz');
  await archiveLogs(directory, archive);
  const { stdout } = await promisify(execFile)('tar', ['--list', '--gzip', '--file', archive]);
  t.deepEqual(
    stdout.trim().split('\n'),
    ['keeper.log', 'lan/dnsmasq.log', 'nodes/1/console.log'].map((name) => `example/${name}`),
  );
});

test('a cluster whose logs can not be saved there is not touched', async (t) => {
  const home = await temporaryDirectory(t);
  const directory = new ClusterDirectory(join(home, 'clusters'), 'example');
  await directory.make();
  const before = await readdir(directory.path, { recursive: true });
  for (const logsArchive of [join(home, 'nowhere', 'logs.tar.gz'), join(directory.path, 'logs.tar.gz')])
    await t.throwsAsync(destroyCluster(directory, { logsArchive }));
  t.deepEqual(await readdir(directory.path, { recursive: true }), before);
  await destroyCluster(directory, { logsArchive: join(home, 'nowhere', 'logs.tar.gz'), force: true }).catch(
    () => {},
  );
  t.false(await directory.exists());
});

test('an archive of logs has also what they were before they were full, and nothing else', async (t) => {
  const home = await temporaryDirectory(t);
  const directory = new ClusterDirectory(join(home, 'clusters'), 'example');
  await directory.make();
  const node = join(directory.path, 'nodes', '1');
  await mkdir(node);
  const logs = ['console.1.log', 'console.log', 'services.log', 'services.log.1'];
  for (const name of [...logs, 'disk.img', 'a.log.part', 'b.log.x1', 'clog'])
    await writeFile(join(node, name), name);
  const archive = join(home, 'logs.tar.gz');
  await archiveLogs(directory, archive);
  const { stdout } = await promisify(execFile)('tar', ['--list', '--gzip', '--file', archive]);
  t.deepEqual(
    stdout.trim().split('\n'),
    logs.map((name) => `example/nodes/1/${name}`),
  );
});
