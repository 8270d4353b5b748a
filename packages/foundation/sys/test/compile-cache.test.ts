import { chmod, lstat, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { compileCacheDirectory } from '../src/compile-cache.ts';

const user = process.geteuid?.() ?? -1;
const somebody = user + 1;

async function temporaryDirectory(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true }));
  return directory;
}

test("compiled modules are kept in a directory of the user's own, which is made", async (t) => {
  const home = await temporaryDirectory(t);
  const directory = compileCacheDirectory({ HOME: home }, user);
  t.is(directory, join(home, '.cache/nodecore'));
  t.is((await lstat(directory ?? '')).mode & 0o777, 0o700);
  t.is(compileCacheDirectory({ HOME: home }, user), directory, 'the next time, too');
  const cache = await temporaryDirectory(t);
  t.is(compileCacheDirectory({ HOME: home, XDG_CACHE_HOME: cache }, user), join(cache, 'nodecore'));
  t.is(compileCacheDirectory({ HOME: home, XDG_CACHE_HOME: 'relative' }, user), directory);
});

test('a cache where no directory can be made is none, and keeps nobody waiting', (t) => {
  t.is(compileCacheDirectory({ XDG_CACHE_HOME: '/proc' }, user, '/proc'), undefined);
});

test('what somebody else could have prepared is not used', async (t) => {
  const home = await temporaryDirectory(t);
  const none = join(home, 'none');
  const found = (): string | undefined => compileCacheDirectory({ HOME: home }, user, none);
  t.is(compileCacheDirectory({ HOME: home }, somebody, none), undefined, 'of another user');
  t.deepEqual(await readdir(home), [], 'and nothing is made there');
  const directory = join(home, '.cache/nodecore');
  for (const [where, mode] of [
    [home, 0o777],
    [join(home, '.cache'), 0o707],
    [directory, 0o702],
    [directory, 0o770],
  ] as const) {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    t.is(found(), directory);
    const before = (await lstat(where)).mode;
    await chmod(where, mode);
    t.is(found(), undefined, `${where} ${mode.toString(8)}`);
    await chmod(where, before);
  }
  const other = await temporaryDirectory(t);
  await symlink(home, join(other, '.cache'));
  t.is(compileCacheDirectory({ HOME: other }, user, none), undefined, 'by a link');
});

test('nothing is kept without a place, and for root there is one without a home', async (t) => {
  const system = await temporaryDirectory(t);
  t.is(compileCacheDirectory({}, somebody, system), undefined);
  t.is(compileCacheDirectory({ HOME: join(system, 'none') }, somebody, system), undefined);
  const asRoot = compileCacheDirectory({}, 0, system);
  t.is(asRoot, user === 0 ? join(system, 'nodecore') : undefined);
});
