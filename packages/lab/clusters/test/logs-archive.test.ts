import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { ClusterDirectory } from '../src/index.ts';
import { archiveLogs } from '../src/logs-archive.ts';

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
