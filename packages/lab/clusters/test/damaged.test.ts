import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import {
  changeState,
  ClusterDirectory,
  destroyCluster,
  listClusters,
  makePlan,
  showCluster,
} from '../src/index.ts';
import { tinyRequest } from './requests.ts';

const garbage = [
  '',
  'null',
  '7',
  '[]',
  '{"layout":1,"phase":7,"path":3}',
  '{"phase":',
  '\0\u{fffd}: [',
  'lost words',
];

async function made(t: ExecutionContext): Promise<ClusterDirectory> {
  const directory = new ClusterDirectory(await temporaryDirectory(t), 'one');
  await directory.make();
  await directory.store(makePlan(tinyRequest(directory.path), '0'.repeat(32)));
  await changeState(directory, { phase: 'stopped', ready: true });
  const other = new ClusterDirectory(join(directory.path, '..'), 'other');
  await other.make();
  return directory;
}

for (const file of ['state.yaml', 'plan.json', 'place.json'])
  test(`a damaged ${file} is told by its path, is changed by nobody, and hides no other cluster`, async (t) => {
    const directory = await made(t);
    const path = join(directory.path, file);
    const own = await readFile(path);
    for (const text of garbage) {
      await writeFile(path, text);
      const failed = await t.throwsAsync(showCluster(directory), { code: 'ERR_CLUSTER_STATE' }, text);
      t.true(failed?.message.startsWith(path), failed?.message);
      t.deepEqual(
        (await listClusters(join(directory.path, '..'))).map(({ name, phase }) => [name, phase]),
        [
          ['one', 'damaged'],
          ['other', 'planned'],
        ],
      );
      if (file !== 'state.yaml') continue;
      await t.throwsAsync(changeState(directory, { phase: 'running' }), { code: 'ERR_CLUSTER_STATE' });
      t.is(await readFile(path, 'utf8'), text, 'contexts of client configs may still be read from it');
    }
    await writeFile(path, own);
    t.is((await showCluster(directory)).phase, 'stopped');
  });

test('a cluster whose state is damaged goes by force alone, as its contexts are not known', async (t) => {
  const directory = await made(t);
  await writeFile(join(directory.path, 'state.yaml'), 'lost');
  await t.throwsAsync(destroyCluster(directory), {
    code: 'ERR_CLUSTER_LEFT',
    message: /state\.yaml is damaged/,
  });
  t.true(await directory.exists());
  await t.throwsAsync(destroyCluster(directory, { force: true }), {
    code: 'ERR_CLUSTER_LEFT',
    message: /state\.yaml is damaged.*; its directory is gone$/,
  });
  t.false(await directory.exists());
});
