import { spawn } from 'node:child_process';
import { copyFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { output, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { type Kind, type Operation, StateError } from '../src/index.ts';
import { sqliteState } from '../src/sqlite/index.ts';

const kind: Kind = { namespace: 'default', type: 'Things.test.nodecore.dev' };

testWith(root)('a full disk refuses the write, keeps what was there, and takes writes again', async (t) => {
  const disk = await temporaryDirectory(t);
  await output(['mount', '-t', 'tmpfs', '-o', 'size=600k', 'nodecore-test', disk]);
  t.teardown(async () => await output(['umount', '--lazy', disk]));
  const state = await sqliteState(join(disk, 'state.db'));
  t.teardown(async () => await state[Symbol.asyncDispose]());
  const create = async (id: number, sizeBytes: number): Promise<unknown> =>
    await state.create({ ...kind, id: String(id) }, 'x'.repeat(sizeBytes));
  let written = 0;
  const error = await t.throwsAsync(async () => {
    for (; written < 1000; written += 1) await create(written, 20_000);
  });
  t.true(error instanceof StateError && error.code === 'ERR_STATE_NO_SPACE', String(error));
  t.is((await state.list(kind)).resources.length, written);
  const { revision } = await state.list(kind);
  await output(['mount', '-o', 'remount,size=4m', disk]);
  await create(written, 20_000);
  t.is((await state.list(kind)).revision, revision + 1);
});

test('a damaged, cut or foreign file is refused and left as it is', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'state.db');
  const state = await sqliteState(path);
  const operations = Array.from({ length: 100 }, (_, index): Operation => {
    return { op: 'create', key: { ...kind, id: `${index}` }, spec: 'x'.repeat(500) };
  });
  await state.transaction(operations);
  await state[Symbol.asyncDispose]();
  const { size } = await stat(path);
  const damages: Record<string, (file: string) => Promise<void>> = {
    cut: async (file) => await truncate(file, size - 3 * 4096 - 1000),
    'cut in the first page': async (file) => await truncate(file, 2000),
    'wrong bytes in a page': async (file) => await overwrite(file, 4096 * 3, Buffer.alloc(64, 0xff)),
    'wrong bytes in the header': async (file) => await overwrite(file, 0, Buffer.from('not a database')),
    'no database': async (file) => await writeFile(file, 'x'.repeat(8192)),
    'of another program': async (file) => {
      await writeFile(file, '');
      using other = new DatabaseSync(file);
      other.exec('CREATE TABLE objects (id)');
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    const file = join(directory, `${name}.db`);
    await copyFile(path, file);
    await damage(file);
    const before = await readFile(file);
    await t.throwsAsync(sqliteState(file), { instanceOf: StateError, code: 'ERR_STATE_CORRUPT' }, name);
    t.deepEqual(await readFile(file), before, name);
  }
  // Not found by SQLite, but by whoever reads it.
  const file = join(directory, 'row.db');
  await copyFile(path, file);
  {
    using other = new DatabaseSync(file);
    other.exec(`UPDATE objects SET spec = '{"x"' WHERE id = '7'`);
  }
  const opened = await sqliteState(file);
  await t.throwsAsync(opened.get({ ...kind, id: '7' }), { code: 'ERR_STATE_CORRUPT' });
  t.is((await opened.get({ ...kind, id: '8' }))?.metadata.version, 1);
  await opened[Symbol.asyncDispose]();
});

async function overwrite(path: string, offset: number, bytes: Buffer): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, offset);
}

test('a file of a newer version is refused, and still whole for it', async (t) => {
  const path = join(await temporaryDirectory(t), 'state.db');
  await (await sqliteState(path))[Symbol.asyncDispose]();
  {
    using newer = new DatabaseSync(path);
    newer.exec('PRAGMA user_version = 3');
  }
  const before = await readFile(path);
  await t.throwsAsync(sqliteState(path), { instanceOf: StateError, code: 'ERR_STATE_NEWER' });
  t.deepEqual(await readFile(path), before);
});

test('one process has the file, for its owner alone; when it is killed the next one has it', async (t) => {
  const path = join(await temporaryDirectory(t), 'state.db');
  const script = fileURLToPath(new URL('hold-state.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', '--expose-gc', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const { promise, resolve } = Promise.withResolvers<void>();
  child.stdout.once('data', () => resolve());
  child.once('exit', () => resolve());
  await promise;
  await t.throwsAsync(sqliteState(path), { instanceOf: StateError, code: 'ERR_STATE_LOCKED' });
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}.lock`]) {
    t.is((await stat(file)).mode & 0o777, 0o600, file);
  }
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
  const state = await sqliteState(path);
  t.is((await state.get({ ...kind, id: 'a' }))?.spec, 1);
  await t.throwsAsync(sqliteState(path), { code: 'ERR_STATE_LOCKED' }, 'also twice in one process');
  await state[Symbol.asyncDispose]();
  await state[Symbol.asyncDispose]();
  await t.throwsAsync(state.get({ ...kind, id: 'a' }), { instanceOf: TypeError });
});

test('what waits when it is closed is written, and its watches end', async (t) => {
  const path = join(await temporaryDirectory(t), 'state.db');
  const state = await sqliteState(path);
  const watch = state.watch({ kind, bootstrap: true });
  await watch.next();
  const writes = Array.from({ length: 600 }, (_, id) => state.create({ ...kind, id: `${id}` }, id));
  await state[Symbol.asyncDispose]();
  await Promise.all(writes);
  for await (const batch of watch) t.true(batch.length > 0);
  const again = await sqliteState(path);
  const { resources, revision } = await again.list(kind);
  t.is(resources.length, 600);
  t.is(revision, 600);
  // The past is in the log, for watches that began before.
  const events = [];
  for await (const batch of again.watch({ kind, from: 10 })) {
    events.push(...batch);
    if (events.length >= 590) break;
  }
  t.is(events.length, 590);
  t.is(events[0]?.revision, 11);
  await again[Symbol.asyncDispose]();
});

test('a long list is of one revision, and writers go on meanwhile', async (t) => {
  const state = await sqliteState(join(await temporaryDirectory(t), 'state.db'));
  const operations = Array.from({ length: 1600 }, (_, index): Operation => {
    return { op: 'create', key: { ...kind, id: String(index).padStart(5, '0') }, spec: 0 };
  });
  await state.transaction(operations);
  const listing = state.list(kind);
  const last = { ...kind, id: '01599' };
  await state.update(last, 1, { version: 1 });
  const { resources, revision } = await listing;
  t.deepEqual([resources.length, revision, resources.at(-1)?.spec], [1600, 1, 0]);
  t.is((await state.get(last))?.spec, 1);
  await state[Symbol.asyncDispose]();
});
