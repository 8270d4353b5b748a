import { join } from 'node:path';

import { loadOsconfig, type OsContextInput, saveOsconfig } from '@nodecore/api';
import { createCA, issueClient } from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { changeState, ClusterDirectory, mergeContext, removeContext } from '../src/index.ts';

async function context(): Promise<OsContextInput & { readonly ca: string }> {
  const ca = await createCA('test');
  const { crt, key } = await issueClient(ca, { roles: ['os:admin'] });
  return { endpoints: ['127.0.0.1'], ca: ca.crt, crt, key };
}

test('a context that is of another cluster by now stays', async (t) => {
  const home = await temporaryDirectory(t);
  const location = { flag: join(home, 'config'), env: {} };
  const directory = new ClusterDirectory(home, 'example');
  await directory.make();
  const recorded = await mergeContext(directory, await context(), location);
  const loaded = await loadOsconfig(location);
  loaded.osconfig.set('example', await context());
  await saveOsconfig(loaded);
  await removeContext(recorded);
  t.deepEqual((await loadOsconfig(location)).osconfig.names, ['example']);
});

test('the context of a cluster that is destroyed before it is written is not there afterwards', async (t) => {
  const home = await temporaryDirectory(t);
  const location = { flag: join(home, 'config'), env: {} };
  const directory = new ClusterDirectory(home, 'example');
  await directory.make();
  await changeState(directory, { phase: 'destroying' }); // who destroys it has looked for contexts by now
  await t.throwsAsync(mergeContext(directory, await context(), location), { code: 'ERR_CLUSTER_NOT_FOUND' });
  t.deepEqual((await loadOsconfig(location)).osconfig.names, []);
});
