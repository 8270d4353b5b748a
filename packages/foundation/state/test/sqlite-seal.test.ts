import { copyFile, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { Secret } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { type Kind, type State, StateError, type StateErrorCode } from '../src/index.ts';
import { isSealedFile, sqliteState } from '../src/sqlite/index.ts';
import { read } from './contract-scene.ts';
import { inOrder, sealedRows } from './sealed-rows.ts';
import { sqliteContract } from './sqlite-contract.ts';

const secretKind: Kind = { namespace: 'default', type: 'Secrets.test.nodecore.dev' };
const openKind: Kind = { namespace: 'default', type: 'Things.test.nodecore.dev' };
const [key, otherKey] = [Secret.random(32), Secret.random(32)];
const sealing = { keys: [key], types: [secretKind.type] };
const failed = (code: StateErrorCode) => ({ instanceOf: StateError, code });

sqliteContract('sqlite, sealed', { sealing: { keys: [key], types: 'all' } });

/** A word in every place of a resource, through its whole life. */
async function live(state: State, kind: Kind, word: string): Promise<void> {
  const all = { owner: `owner ${word}`, labels: { [`label ${word}`]: word }, annotations: { note: word } };
  for (const id of ['stays', 'goes']) {
    const one = { ...kind, id: `${id} ${word}` };
    await state.create(one, { text: word }, all);
    await state.update(one, { text: `${word} again` }, { ...all, version: 1, labels: { other: word } });
    await state.addFinalizers(one, [`holder ${word}`]);
    if (id === 'stays') continue;
    await state.removeFinalizers(one, [`holder ${word}`]);
    await state.teardown(one, all);
    await state.destroy(one, all);
  }
}

/** The files of a state in which a word stands in clear. */
async function filesWith(path: string, word: string): Promise<string[]> {
  const directory = dirname(path);
  const found: string[] = [];
  for (const name of await readdir(directory)) {
    if ((await readFile(join(directory, name))).includes(word)) found.push(name);
  }
  return found.sort();
}

async function newPath(t: ExecutionContext): Promise<string> {
  return join(await temporaryDirectory(t), 'state.db');
}

test('of what is sealed neither the database nor its log has a word', async (t) => {
  const path = await newPath(t);
  {
    await using state = await sqliteState(path, { sealing });
    await live(state, secretKind, 'canary');
    await live(state, openKind, 'sparrow');
    t.true((await stat(`${path}-wal`)).size > 0);
    t.deepEqual(await filesWith(path, 'sparrow'), ['state.db-wal'], 'the search finds what is there');
    t.deepEqual(await filesWith(path, 'canary'), []);
  }
  t.deepEqual(await filesWith(path, 'sparrow'), ['state.db']);
  t.deepEqual(await filesWith(path, 'canary'), []);
  await using state = await sqliteState(path, { sealing });
  const found = await state.get({ ...secretKind, id: 'stays canary' });
  t.deepEqual(found?.spec, { text: 'canary again' });
  const { owner, labels, annotations, finalizers } = found?.metadata ?? {};
  t.deepEqual(
    [owner, labels, annotations, finalizers],
    ['owner canary', { other: 'canary' }, { note: 'canary' }, ['holder canary']],
  );
  const watch = state.watch({
    kind: secretKind,
    query: { labels: [{ label: 'label canary', exists: true }] },
    from: 0,
  });
  const events = await read(watch, 4);
  t.deepEqual(
    events.map(({ type }) => type),
    ['created', 'destroyed', 'created', 'destroyed'],
    'a query sees labels of before, which the log has',
  );
});

test('a file that was not sealed is, and nothing of before is left in it', async (t) => {
  const path = await newPath(t);
  {
    await using state = await sqliteState(path);
    await live(state, secretKind, 'canary');
    await live(state, openKind, 'sparrow');
  }
  t.false(await isSealedFile(path));
  const revision = await using(path, undefined, async (state) => (await state.list(secretKind)).revision);
  t.deepEqual(await filesWith(path, 'canary'), ['state.db']);
  await using state = await sqliteState(path, { sealing });
  t.deepEqual(await filesWith(path, 'canary'), []);
  t.true(await isSealedFile(path));
  const { resources, revision: after } = await state.list(secretKind);
  t.is(after, revision);
  t.is(resources.length, 1);
  t.deepEqual((await state.get({ ...secretKind, id: 'stays canary' }))?.spec, { text: 'canary again' });
  t.deepEqual((await state.get({ ...openKind, id: 'stays sparrow' }))?.spec, { text: 'sparrow again' });
  await t.throwsAsync(
    state.watch({ kind: secretKind, from: revision - 1 }).next(),
    failed('ERR_STATE_COMPACTED'),
  );
});

async function using<T>(
  path: string,
  options: Parameters<typeof sqliteState>[1],
  body: (state: State) => Promise<T>,
): Promise<T> {
  await using state = await sqliteState(path, options);
  return await body(state);
}

test('without its key a sealed file is refused and left as it is', async (t) => {
  const path = await newPath(t);
  await using(path, { sealing }, async (state) => await live(state, secretKind, 'canary'));
  const before = await readFile(path);
  const wrong = { ...sealing, keys: [otherKey] };
  await t.throwsAsync(sqliteState(path), failed('ERR_STATE_KEY'));
  await t.throwsAsync(sqliteState(path, { sealing: wrong }), failed('ERR_STATE_KEY'));
  await t.throwsAsync(sqliteState(path, { sealing: { ...sealing, keys: [] } }), failed('ERR_STATE_KEY'));
  const short = { ...sealing, keys: [Secret.random(31)] };
  await t.throwsAsync(sqliteState(path, { sealing: short }), failed('ERR_STATE_KEY'));
  t.deepEqual(await readFile(path), before);
  const id = 'stays canary';
  const found = await using(path, { sealing }, async (state) => await state.get({ ...secretKind, id }));
  t.deepEqual(found?.spec, { text: 'canary again' });
});

test('a new key takes the place of the old one, of which nothing is left', async (t) => {
  const path = await newPath(t);
  await using(path, { sealing }, async (state) => await live(state, secretKind, 'canary'));
  const sealedText = (): string => {
    using file = new DatabaseSync(path, { readOnly: true });
    return String(file.prepare('SELECT spec FROM objects').get()?.['spec']);
  };
  const before = sealedText();
  t.deepEqual(await filesWith(path, before), ['state.db']);
  const both = { ...sealing, keys: [otherKey, key] };
  await using(path, { sealing: both }, async (state) =>
    t.is((await state.list(secretKind)).resources.length, 1),
  );
  t.deepEqual(await filesWith(path, before), []);
  await t.throwsAsync(sqliteState(path, { sealing }), failed('ERR_STATE_KEY'));
  await using state = await sqliteState(path, { sealing: { ...sealing, keys: [otherKey] } });
  t.deepEqual((await state.get({ ...secretKind, id: 'stays canary' }))?.spec, { text: 'canary again' });
});

test('a type that was sealed once stays sealed, and more come to it', async (t) => {
  const path = await newPath(t);
  await using(path, { sealing }, async (state) => await live(state, secretKind, 'canary'));
  const more = { keys: [key], types: [openKind.type] };
  await using state = await sqliteState(path, { sealing: more });
  await live(state, openKind, 'sparrow');
  await state.create({ ...secretKind, id: 'another' }, 'another canary');
  t.deepEqual([...(await filesWith(path, 'canary')), ...(await filesWith(path, 'sparrow'))], []);
  t.is((await state.list(secretKind)).resources.length, 2);
});

test('a sealed value that is damaged, in another place or not sealed is refused; its neighbours are read', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'state.db');
  const ids = ['a', 'b'].map((id) => ({ ...secretKind, id }));
  await using(path, { sealing }, async (state) => {
    for (const one of ids) await state.create(one, { text: one.id });
    await state.update(ids[1]!, { text: 'b2' }, { version: 1 });
  });
  const first = `(SELECT id FROM objects WHERE version = 1)`;
  const damages: Record<string, string> = {
    'a bit of the text': `UPDATE objects SET spec = substr(spec, 1, 60) || CASE substr(spec, 61, 1) WHEN 'A' THEN 'B' ELSE 'A' END || substr(spec, 62) WHERE id = ${first}`,
    'a bit of the salt': `UPDATE objects SET spec = '~' || CASE substr(spec, 2, 1) WHEN 'A' THEN 'B' ELSE 'A' END || substr(spec, 3) WHERE id = ${first}`,
    cut: `UPDATE objects SET spec = substr(spec, 1, length(spec) - 4) WHERE id = ${first}`,
    'cut short': `UPDATE objects SET spec = '~AAAA' WHERE id = ${first}`,
    empty: `UPDATE objects SET spec = '' WHERE id = ${first}`,
    'of another resource': `UPDATE objects SET spec = (SELECT spec FROM objects WHERE version = 2) WHERE id = ${first}`,
    'of another version': `UPDATE objects SET version = 7 WHERE id = ${first}`,
    'of another type': `UPDATE objects SET namespace = 'other' WHERE id = ${first}`,
    'not sealed': `UPDATE objects SET meta = '{"labels":{},"annotations":{},"finalizers":[]}', phase = 'running', spec = '{"text":"a"}' WHERE id = ${first}`,
  };
  for (const [name, statement] of Object.entries(damages)) {
    const file = join(directory, `${name}.db`);
    await copyFile(path, file);
    {
      using other = new DatabaseSync(file);
      t.is(Number(other.prepare(statement).run().changes), 1, name);
    }
    const { read } = sealedRows(file, [key], sealing.types);
    const [error] = read.filter((one) => one instanceof StateError);
    t.is(error?.code, 'ERR_STATE_CORRUPT', name);
    t.deepEqual(
      inOrder(read).map(({ spec }) => spec),
      [{ text: 'b2' }],
      name,
    );
    const before = await readFile(file);
    const renew = (): unknown => sealedRows(file, [otherKey, key], sealing.types);
    t.throws(renew, failed('ERR_STATE_CORRUPT'), `${name}: no new key for what can't be read`);
    t.deepEqual(await readFile(file), before, name);
  }
});

test('no message of an error has what is sealed', async (t) => {
  const path = await newPath(t);
  await using state = await sqliteState(path, { sealing });
  await state.create({ ...secretKind, id: 'a' }, 'canary');
  {
    using other = new DatabaseSync(path);
    other.exec(`UPDATE objects SET spec = '~' || hex(randomblob(200))`);
  }
  const error = await t.throwsAsync(state.get({ ...secretKind, id: 'a' }), failed('ERR_STATE_CORRUPT'));
  t.notRegex(String(error?.stack) + String((error?.cause as Error | undefined)?.stack), /canary/);
});
