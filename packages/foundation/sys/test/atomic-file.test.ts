import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { link, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';

import test from 'ava';

import { removeFileDurably, writeFileAtomic } from '@nodecore/sys';

const run = promisify(execFile);

test('a file is replaced whole, owner-only, and leaves no part file', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const path = join(directory, 'config.yaml');
  await writeFileAtomic(path, 'old');
  await writeFile(`${path}.part`, 'left by a crash', { mode: 0o644 });
  await writeFileAtomic(path, 'new');
  t.is(await readFile(path, 'utf8'), 'new');
  t.is((await stat(path)).mode & 0o777, 0o600);
  t.deepEqual(await readdir(directory), ['config.yaml']);
  await removeFileDurably(path);
  await removeFileDurably(path);
  t.deepEqual(await readdir(directory), []);
});

test('a pipe or a socket keeps its name: no file takes its place', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-sys-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const [pipe, socket] = [join(directory, 'pipe'), join(directory, 'socket')];
  await run('mkfifo', [pipe]);
  const server = createServer().listen(socket);
  t.teardown(() => server.close());
  await once(server, 'listening');
  for (const path of [pipe, socket])
    await t.throwsAsync(writeFileAtomic(path, 'secret'), {
      code: 'EINVAL',
      message: /no file takes its place/,
    });
  t.true((await stat(pipe)).isFIFO());
  t.true((await stat(socket)).isSocket());
  t.deepEqual((await readdir(directory)).toSorted(), ['pipe', 'socket']);
});

test('what somebody puts in place of the part meanwhile does not get the name', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const path = join(directory, 'config.yaml');
  const part = `${path}.part`;
  await writeFileAtomic(path, 'old');
  const writing = t.throwsAsync(writeFileAtomic(path, Buffer.alloc(16 << 20)), { code: 'ESTALE' });
  while (!existsSync(part)) await turn();
  // In one turn of the loop: the other one needs many before it renames.
  rmSync(part);
  writeFileSync(part, 'half of what an');
  await writing;
  t.is(await readFile(path, 'utf8'), 'old');
  t.is(await readFile(part, 'utf8'), 'half of what an');
});

test('a part that somebody else has put there is replaced by a new file', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const path = join(directory, 'key.pem');
  const precious = join(directory, 'precious');
  await writeFile(precious, 'mine');
  await link(precious, `${path}.part`);
  await writeFileAtomic(path, 'secret');
  await symlink(precious, `${path}.part`);
  await writeFileAtomic(path, 'secret');
  t.is(await readFile(precious, 'utf8'), 'mine');
  t.is((await stat(path)).nlink, 1);
});

test('a function writes the file itself; when it fails, the file stays and no part is left', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const path = join(directory, 'image');
  await writeFileAtomic(path, async (file) => {
    await file.write('end', 4096);
  });
  t.is((await stat(path)).size, 4099);
  const failing = writeFileAtomic(path, async (file) => {
    await file.write('half');
    throw new Error('the source is gone');
  });
  await t.throwsAsync(failing, { message: 'the source is gone' });
  t.is((await stat(path)).size, 4099);
  t.deepEqual(await readdir(directory), ['image']);
});
