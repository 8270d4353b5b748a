import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { editOsconfig } from '@nodecore/api';
import { ClusterDirectory } from '@nodecore/clusters';
import { root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

const user = 12_345;
const other = 23_456;

/** A home directory of a user, who calls sudo. */
async function called(t: ExecutionContext): Promise<string> {
  Object.assign(process.env, { SUDO_UID: String(user), SUDO_GID: String(user) });
  t.teardown(() => {
    delete process.env['SUDO_UID'];
    delete process.env['SUDO_GID'];
  });
  const home = await temporaryDirectory(t);
  await chown(home, user, user);
  return home;
}

async function write(flag: string): Promise<void> {
  await editOsconfig({ flag }, ({ osconfig }) => osconfig.set('made', { endpoints: ['192.0.2.1'] }));
}

async function ownerOf(path: string): Promise<number> {
  return (await stat(path)).uid;
}

const all = testWith(root);

all('a client config that is written by sudo belongs to who called it, with its directories', async (t) => {
  const path = join(await called(t), '.os', 'more', 'config');
  await write(path);
  for (const each of [path, dirname(path), dirname(dirname(path))]) t.is(await ownerOf(each), user, each);
  t.is((await stat(path)).mode & 0o777, 0o600);
  await write(path);
  t.is(await ownerOf(path), user, 'also when it is replaced');
});

all('what is of somebody else, or in their directory, becomes root’s, as without sudo', async (t) => {
  const home = await called(t);
  const path = join(home, 'config');
  await writeFile(path, 'contexts: {}\n');
  await chown(path, other, other);
  await write(path);
  t.is(await ownerOf(path), 0, 'nobody gets keys who had a file there');
  t.true((await readFile(path, 'utf8')).includes('made'));
  const theirs = join(home, 'theirs');
  await mkdir(theirs);
  await chown(theirs, other, other);
  await write(join(theirs, 'deep', 'config'));
  for (const each of ['deep', 'deep/config']) t.is(await ownerOf(join(theirs, each)), 0, each);
});

all('root itself keeps what it writes', async (t) => {
  const home = await called(t);
  process.env['SUDO_UID'] = '0';
  await write(join(home, '.os', 'config'));
  t.is(await ownerOf(join(home, '.os', 'config')), 0);
  process.env['SUDO_UID'] = `${user} `;
  await write(join(home, 'more', 'config'));
  t.is(await ownerOf(join(home, 'more')), 0, 'what is no number is nobody');
});

all('clusters of root are root’s, and where clusters are is the place of who called it', async (t) => {
  const home = await called(t);
  const cluster = new ClusterDirectory(join(home, '.os', 'clusters'), 'example');
  await cluster.make();
  t.is(await ownerOf(dirname(cluster.path)), user);
  t.is(await ownerOf(join(home, '.os')), user);
  for (const each of [cluster.path, cluster.secrets]) t.is(await ownerOf(each), 0, each);
});
