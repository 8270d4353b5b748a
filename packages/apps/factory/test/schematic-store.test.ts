import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { SqliteSchematics } from '../src/schematics/sqlite-schematics.ts';
import { ask, runningFactory, submit } from './running-factory.ts';
import { startFactory } from '../src/index.ts';

test('a schematic outlives the factory that took it', async (t) => {
  const first = await runningFactory(t);
  const id = await submit(first, 'customization: {extraKernelArgs: [quiet]}');
  await first.factory.close();
  const factory = await startFactory(first.options);
  t.teardown(() => factory.close());
  t.is((await ask({ factory }, `/schematics/${id}`)).status, 200);
});

test('the store is for its owner alone', async (t) => {
  const directory = join(await temporaryDirectory(t), 'storage');
  await using store = await SqliteSchematics.open(directory);
  await store.put('a', 'b');
  t.is((await stat(directory)).mode & 0o777, 0o700);
  for (const name of ['schematics.sqlite', 'schematics.sqlite-wal'])
    t.is((await stat(join(directory, name))).mode & 0o777, 0o600, name);
});

test('what is there is not written again', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await SqliteSchematics.open(directory);
  await store.put('a', 'first');
  await store.put('a', 'second');
  t.is(await store.get('a'), 'first');
  t.is(await store.get('b'), undefined);
});

test('a store that fails says so, and goes on reading', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const database = new DatabaseSync(join(running.options.storage, 'schematics.sqlite'));
  database.exec("CREATE TRIGGER fails BEFORE INSERT ON schematics BEGIN SELECT RAISE(ABORT, 'no'); END");
  database.close();
  const refused = await ask(running, '/schematics', {
    method: 'POST',
    body: 'customization: {extraKernelArgs: [quiet]}',
  });
  t.is(refused.status, 503);
  t.true(refused.body.toString().startsWith('ERR_FACTORY_STORE: '));
  t.is((await ask(running, `/schematics/${id}`)).status, 200);
  t.is((await ask(running, '/schematics', { method: 'POST', body: '{}' })).status, 201);
});
