import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { Osconfig } from '@nodecore/api';
import { ArtifactStore, type RemotePiece, type RemoteRequest } from '@nodecore/clusters/remote';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { performer } from '../src/remote/perform.ts';

const flag = (name: string, value = ''): RemoteRequest['flags'][number] => ({ name, value, bare: false });

/** A server with a cluster `prod` that has no machine. */
async function serverWith(t: ExecutionContext, state: object = {}) {
  const directory = await temporaryDirectory(t);
  const cluster = join(directory, 'clusters', 'prod');
  await mkdir(join(cluster, 'nodes', '1'), { recursive: true });
  await writeFile(join(cluster, 'nodes', '1', 'console.log'), 'why it died');
  await writeFile(
    join(cluster, 'plan.json'),
    JSON.stringify({ layout: 1, request: { name: 'prod' }, nodes: [] }),
  );
  await writeFile(join(cluster, 'state.yaml'), JSON.stringify(state));
  const run = performer({ directory, artifacts: new ArtifactStore(join(directory, 'artifacts'), 1e9) });
  const perform = (
    words: readonly string[],
    flags: RemoteRequest['flags'],
    write: (piece: RemotePiece) => Promise<void> = async () => {},
  ) =>
    run(
      { words, arguments: [], flags: [flag('name', 'prod'), ...flags] },
      { write, signal: new AbortController().signal },
    );
  return { directory, cluster, perform };
}

test('what was saved of a cluster that is gone is kept for a week, also when the line to who asked breaks', async (t) => {
  const { directory, cluster, perform } = await serverWith(t);
  const gone = perform(['destroy'], [flag('save-cluster-logs-archive-path')], async ({ archive }) => {
    if (archive !== undefined) throw new Error('the line breaks');
  });
  await t.throwsAsync(gone, { message: 'the line breaks' });
  await t.throwsAsync(readdir(cluster), { code: 'ENOENT' });
  const archives = join(directory, 'archives');
  const [name = ''] = await readdir(archives);
  t.regex(name, /^prod-/);
  const kept = await readFile(join(archives, name, 'archive'));
  t.true(gunzipSync(kept).includes('why it died'));

  const old = new Date(Date.now() - 8 * 24 * 60 * 60_000);
  await utimes(join(archives, name), old, old);
  await perform(['destroy'], [flag('save-cluster-logs-archive-path')]); // of a cluster that is not there any more
  t.deepEqual(await readdir(archives), []);
});

test('who is refused a cluster that is there does not get the context of it', async (t) => {
  const client = 'osconfig';
  const state = { phase: 'running', ready: true };
  const { directory, cluster, perform } = await serverWith(t, state);
  const file = join(directory, client);
  const osconfig = Osconfig.empty('client config');
  osconfig.set('prod', { endpoints: ['127.5.0.2:50000'], nodes: [] });
  osconfig.use('prod');
  await writeFile(file, osconfig.encode());
  const contexts = [{ file, context: 'prod', caFingerprint: '00' }];
  await writeFile(join(cluster, 'state.yaml'), JSON.stringify({ ...state, contexts }));
  const end = await perform(['create', 'vm'], [flag('workers', 'nonsense')]);
  t.is(end.exitCode, 2);
  t.is(end.clientConfig, undefined);
});
