import { lchown, lstat, mkdtemp, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { editOsconfig, loadOsconfig, saveOsconfig } from '../src/osconfig-file.ts';
import { locate } from '../src/osconfig-location.ts';

async function home(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'osconfig-'));
  t.teardown(() => rm(path, { recursive: true }));
  return path;
}

async function put(path: string, text = 'contexts: {}\n'): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

test('the flag beats OSCONFIG, which beats the home directory, which beats the service account', async (t) => {
  const HOME = await home(t);
  const serviceAccount = await put(join(HOME, 'account/config'));
  const own = join(HOME, '.os/config');
  const where = async (flag?: string, OSCONFIG?: string): Promise<string> =>
    (await locate({ flag, env: { HOME, OSCONFIG }, serviceAccount })).path;
  t.is(await where(), serviceAccount);
  await put(own);
  t.is(await where(), own);
  t.is(await where(undefined, '/env'), '/env');
  t.is(await where('/flag', '/env'), '/flag');
});

test('OS_HOME moves the directory and must be absolute', async (t) => {
  const HOME = await home(t);
  const serviceAccount = join(HOME, 'none');
  const { path } = await locate({ env: { HOME, OS_HOME: '/elsewhere' }, serviceAccount });
  t.is(path, '/elsewhere/config');
  await t.throwsAsync(locate({ env: { HOME, OS_HOME: 'relative' }, serviceAccount }), {
    code: 'ERR_OSCONFIG_HOME',
  });
  await t.throwsAsync(locate({ env: {}, serviceAccount }), { code: 'ERR_OSCONFIG_HOME' });
});

test('a config is written for its owner only, in a directory for its owner only', async (t) => {
  const HOME = await home(t);
  const options = { env: { HOME }, serviceAccount: join(HOME, 'none') };
  const loaded = await loadOsconfig(options);
  t.deepEqual(loaded.osconfig.names, []);
  loaded.osconfig.set('a', { endpoints: ['x'] });
  await saveOsconfig(loaded);
  const path = join(HOME, '.os/config');
  t.is((await stat(path)).mode & 0o777, 0o600);
  t.is((await stat(dirname(path))).mode & 0o777, 0o700);
  t.deepEqual((await loadOsconfig(options)).osconfig.names, ['a']);
});

test('a named file that does not exist is an error for readers and a start for writers', async (t) => {
  const flag = join(await home(t), 'new/config');
  const error = await t.throwsAsync(loadOsconfig({ flag, env: {} }), { code: 'ERR_OSCONFIG_NOT_FOUND' });
  t.true(error.message.includes('--osconfig'));
  const viaEnv = await t.throwsAsync(loadOsconfig({ env: { OSCONFIG: flag } }), {
    code: 'ERR_OSCONFIG_NOT_FOUND',
  });
  t.true(viaEnv.message.includes('OSCONFIG'));
  const loaded = await loadOsconfig({ flag, env: {}, create: true });
  await saveOsconfig(loaded);
  t.is(await readFile(flag, 'utf8'), 'contexts: {}\n');
});

test('the file of a service account is never written', async (t) => {
  const HOME = await home(t);
  const serviceAccount = await put(join(HOME, 'account/config'));
  const loaded = await loadOsconfig({ env: { HOME }, serviceAccount });
  await t.throwsAsync(saveOsconfig(loaded), { code: 'ERR_OSCONFIG_READ_ONLY' });
});

const write = async (flag: string): Promise<void> =>
  saveOsconfig(await loadOsconfig({ flag, env: {}, create: true }));

test('a file that can not be written, or read, is named with the word of the system', async (t) => {
  const HOME = await home(t);
  const file = await put(join(HOME, 'file'));
  for (const [path, word] of [
    ['/proc/nothing/config', 'ENOENT'],
    ['/proc/config', 'ENOENT'],
  ] as const)
    await t.throwsAsync(write(path), {
      code: 'ERR_OSCONFIG_WRITE',
      message: `${path} can't be written: ${word}; look at its directory, or give another file with --osconfig`,
    });
  for (const [path, word] of [
    [join(file, 'config'), 'ENOTDIR'],
    [HOME, 'EISDIR'],
  ] as const) {
    const message = (from: string): string => `${path} can't be read: ${word}; correct ${from}`;
    await t.throwsAsync(write(path), { code: 'ERR_OSCONFIG_READ', message: message('--osconfig') });
    await t.throwsAsync(loadOsconfig({ env: { OSCONFIG: path } }), {
      code: 'ERR_OSCONFIG_READ',
      message: message('OSCONFIG'),
    });
  }
  t.is(await readFile(file, 'utf8'), 'contexts: {}\n');
});

test('what another program has added since a config was read is not overwritten', async (t) => {
  const flag = await put(join(await home(t), 'config'));
  const [one, other] = [await loadOsconfig({ flag, env: {} }), await loadOsconfig({ flag, env: {} })];
  one.osconfig.set('one', { endpoints: ['x'] });
  await saveOsconfig(one);
  one.osconfig.set('and one', { endpoints: ['x'] });
  await saveOsconfig(one);
  other.osconfig.set('other', { endpoints: ['x'] });
  await t.throwsAsync(saveOsconfig(other), {
    code: 'ERR_OSCONFIG_CHANGED',
    message: `${flag} is being changed by another program; give the command again`,
  });
  t.deepEqual((await loadOsconfig({ flag, env: {} })).osconfig.names, ['one', 'and one']);
  const absent = join(dirname(flag), 'absent');
  const late = await loadOsconfig({ flag: absent, env: {}, create: true });
  await put(absent);
  await t.throwsAsync(saveOsconfig(late), { code: 'ERR_OSCONFIG_CHANGED' });
});

test('all that change a config at the same time have changed it', async (t) => {
  const flag = join(await home(t), 'config');
  const names = Array.from({ length: 8 }, (_, number) => `context-${number}`);
  await Promise.all(
    names.map((name) =>
      editOsconfig({ flag, env: {} }, ({ osconfig }) => osconfig.set(name, { endpoints: ['x'] })),
    ),
  );
  t.deepEqual((await loadOsconfig({ flag, env: {} })).osconfig.names.toSorted(), names);
});

test.serial('a link of the user stays a link, and the file that it names is written', async (t) => {
  const HOME = await home(t);
  const file = await put(join(HOME, 'dotfiles/config'));
  const link = join(HOME, 'config');
  await symlink(file, link);
  const loaded = await loadOsconfig({ flag: link, env: {} });
  loaded.osconfig.set('a', { endpoints: ['x'] });
  await saveOsconfig(loaded);
  t.true((await lstat(link)).isSymbolicLink());
  t.deepEqual((await loadOsconfig({ flag: file, env: {} })).osconfig.names, ['a']);
  t.is((await stat(file)).mode & 0o777, 0o600);
  const nowhere = join(HOME, 'nowhere');
  await symlink(join(HOME, 'none/config'), nowhere);
  await t.throwsAsync(write(nowhere), { code: 'ERR_OSCONFIG_WRITE', message: /can't be written: ENOENT/ });
  t.true((await lstat(nowhere)).isSymbolicLink());
  // As if somebody else had made it: nobody but root may give links away.
  if (process.geteuid?.() === 0) await lchown(link, 12_345, 12_345);
  else {
    const own = process.geteuid;
    t.teardown(() => Object.assign(process, { geteuid: own }));
    Object.assign(process, { geteuid: () => 12_345 });
  }
  await t.throwsAsync(write(link), { code: 'ERR_OSCONFIG_WRITE', message: /is a link of another user/ });
});
