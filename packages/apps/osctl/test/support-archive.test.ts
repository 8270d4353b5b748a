import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ClusterDirectory, makePlan } from '@nodecore/clusters';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';
import { plannedCluster } from './planned-cluster.ts';

test('what the nodes know is saved before a cluster goes; who does not answer is named; a file that is there keeps it', async (t) => {
  const { state } = await plannedCluster(t, '');
  const directory = new ClusterDirectory(state, 'example');
  const { endpoint } = await startFakeNode(t);
  const port = Number(endpoint.split(':')[1]);
  const { request, id } = await directory.requirePlan();
  // The first answers, nothing listens for the second.
  await directory.store(
    makePlan(request, id, (address) => ({
      address: '127.0.0.1',
      port: address.endsWith('.2') ? port : 1,
    })),
  );
  const { OSCONFIG: config = '' } = await clientConfig(t, { endpoints: [endpoint] });
  const text = (await readFile(config, 'utf8')).replaceAll(/\btest:/g, 'example:');
  await writeFile(join(directory.secrets, 'osconfig'), text, { mode: 0o600 });

  const home = await temporaryDirectory(t);
  const taken = join(home, 'taken.zip');
  await writeFile(taken, 'kept');
  const destroy = [
    'cluster',
    'destroy',
    '--state',
    state,
    '--name',
    'example',
    '--save-support-archive-path',
  ];
  t.not((await osctl([...destroy, taken])).code, 0);
  t.is(await readFile(taken, 'utf8'), 'kept');
  const inside = await osctl([...destroy, join(directory.path, 'support.zip')]);
  t.regex(inside.error, /support\.zip goes with the cluster/);
  t.true(existsSync(directory.path), 'it is still there');

  const file = join(home, 'support.zip');
  const { code, error } = await osctl([...destroy, file]);
  t.is(code, 0, error);
  t.regex(error, /example-worker-1 is not in the archive: .*127\.0\.0\.1:1/);
  t.notRegex(error, /example-controlplane-1 is not/);
  t.false(existsSync(directory.path));
  t.is((await stat(file)).mode & 0o777, 0o600);
  const { stdout } = await promisify(execFile)('zipinfo', ['-1', file]);
  const names = stdout.trimEnd().split('\n');
  t.true(names.includes('example-controlplane-1/manifest.json'), stdout);
  t.true(
    names.every((name) => name.startsWith('example-controlplane-1/')),
    stdout,
  );
});
