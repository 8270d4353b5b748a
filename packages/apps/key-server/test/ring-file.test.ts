import {
  chmod,
  chown,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';

import { flock, LOCK_EX, LOCK_NB } from '@nodecore/sys';
import {
  command,
  leakedDescriptors,
  openDescriptors,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import test from 'ava';

import { changeRing, createRing, KeyRing, readRing } from '../src/index.ts';

async function withRing(
  t: Parameters<typeof temporaryDirectory>[0],
): Promise<{ directory: string; path: string }> {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'ring');
  using ring = KeyRing.create(0);
  await createRing(path, ring);
  return { directory, path };
}

test('a new ring is a file that only its owner reads', async (t) => {
  const { directory, path } = await withRing(t);
  t.is((await stat(path)).mode & 0o777, 0o600);
  t.deepEqual(await readdir(directory), ['ring']);
  using ring = await readRing(path);
  t.is(ring.keys.length, 1);
});

test('a ring that is there is not replaced', async (t) => {
  const { path } = await withRing(t);
  const before = await readFile(path);
  using ring = KeyRing.create(0);
  await t.throwsAsync(createRing(path, ring), { code: 'ERR_KMS_RING_EXISTS' });
  t.deepEqual(await readFile(path), before);
});

test('a change is written whole, mode 0600', async (t) => {
  const { path, directory } = await withRing(t);
  const id = await changeRing(path, (ring) => ring.rotate(0).id);
  using ring = await readRing(path);
  t.is(ring.active.id, id);
  t.is(ring.keys.length, 2);
  t.is((await stat(path)).mode & 0o777, 0o600);
  t.deepEqual(await readdir(directory), ['ring']);
});

test('a change that fails changes nothing', async (t) => {
  const { path } = await withRing(t);
  const before = await readFile(path);
  await t.throwsAsync(
    changeRing(path, (ring) => ring.retire(ring.active.id)),
    { code: 'ERR_KMS_RING_KEY' },
  );
  t.deepEqual(await readFile(path), before);
});

for (const mode of [0o640, 0o604, 0o620, 0o602, 0o610, 0o666]) {
  test(`a ring with mode ${mode.toString(8)} is refused`, async (t) => {
    const { path } = await withRing(t);
    await chmod(path, mode);
    await t.throwsAsync(readRing(path), { code: 'ERR_KMS_RING_ACCESS', message: /chmod 600/ });
    await t.throwsAsync(
      changeRing(path, (ring) => ring.rotate(0)),
      { code: 'ERR_KMS_RING_ACCESS' },
    );
  });
}

test('a link to a ring is refused, wherever it leads', async (t) => {
  const { path, directory } = await withRing(t);
  await symlink(path, join(directory, 'link'));
  await t.throwsAsync(readRing(join(directory, 'link')), { code: 'ERR_KMS_RING_ACCESS' });
});

test('a directory and a pipe are refused, without waiting', async (t) => {
  const { directory } = await withRing(t);
  await mkdir(join(directory, 'd'), { mode: 0o700 });
  await command(['mkfifo', '-m', '600', join(directory, 'p')]);
  for (const name of ['d', 'p'])
    await t.throwsAsync(readRing(join(directory, name)), { code: 'ERR_KMS_RING_ACCESS' });
});

test('a ring that is not there is missing, and how to make one is said', async (t) => {
  const { directory } = await withRing(t);
  await t.throwsAsync(readRing(join(directory, 'no')), {
    code: 'ERR_KMS_RING_MISSING',
    message: /ring init/,
  });
  await t.throwsAsync(
    changeRing(join(directory, 'no'), () => {}),
    { code: 'ERR_KMS_RING_MISSING' },
  );
});

test('a file without end is not read to it', async (t) => {
  const { directory } = await withRing(t);
  const path = join(directory, 'sparse');
  const file = await open(path, 'w', 0o600);
  await file.truncate(1 << 40);
  await file.close();
  await t.throwsAsync(readRing(path), { code: 'ERR_KMS_RING_DAMAGED' });
});

test('two changes at once do not lose a key: the second is refused', async (t) => {
  const { path, directory } = await withRing(t);
  const other = await open(directory, 'r');
  t.is((await flock(other.fd, LOCK_EX | LOCK_NB)).result, 0);
  await t.throwsAsync(
    changeRing(path, (ring) => ring.rotate(0)),
    { code: 'ERR_KMS_RING_BUSY' },
  );
  using ring = KeyRing.create(0);
  await t.throwsAsync(createRing(join(directory, 'new'), ring), { code: 'ERR_KMS_RING_BUSY' });
  await other.close();
  await t.notThrowsAsync(changeRing(path, (ring) => ring.rotate(0)));
});

testWith(root)('a ring of another user is refused, and not taken over by a change', async (t) => {
  const { path } = await withRing(t);
  await chown(path, 65_534, 65_534);
  await t.throwsAsync(readRing(path), { code: 'ERR_KMS_RING_ACCESS', message: /user 65534/ });
  await t.throwsAsync(
    changeRing(path, (ring) => ring.rotate(0)),
    {
      code: 'ERR_KMS_RING_ACCESS',
      message: /runuser/,
    },
  );
});

testWith(root)('root does not make a ring that the owner of the directory could not read', async (t) => {
  const { directory } = await withRing(t);
  await chown(directory, 65_534, 65_534);
  using ring = KeyRing.create(0);
  await t.throwsAsync(createRing(join(directory, 'new'), ring), {
    code: 'ERR_KMS_RING_ACCESS',
    message: /runuser/,
  });
});

test.serial('what was opened is closed, also after a refusal', async (t) => {
  const { path, directory } = await withRing(t);
  const before = openDescriptors();
  await readRing(path).then((ring) => ring[Symbol.dispose]());
  await changeRing(path, (ring) => ring.rotate(0));
  await chmod(path, 0o644);
  await readRing(path).catch(() => {});
  await link(path, join(directory, 'again'));
  await rename(join(directory, 'again'), join(directory, 'moved'));
  await writeFile(join(directory, 'text'), 'text', { mode: 0o600 });
  await readRing(join(directory, 'text')).catch(() => {});
  t.deepEqual(leakedDescriptors(before), []);
});
