import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { canonicalText, schematicId } from '@nodecore/schematic';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { defaultAuthentication } from '../src/index.ts';
import { openRecords } from '../src/records.ts';
import { ownedSchematics } from '../src/schematics/owned-schematics.ts';
import type { SchematicStore } from '../src/schematics/schematic-store.ts';
import { SqliteSchematics } from '../src/schematics/sqlite-schematics.ts';
import { bearer, guardedFactory, submitBy, tokenOf } from './known-callers.ts';
import { postgresServer } from './postgres-server.ts';
import { ask, runningFactory, submit } from './running-factory.ts';

type Listed = {
  readonly schematics: readonly {
    readonly id: string;
    readonly schematic: string;
    readonly created_at: string;
  }[];
  readonly next?: string;
};

const schematic = (number: number, owner?: string) => ({
  ...(owner !== undefined && { owner }),
  customization: { extraKernelArgs: [`number=${number}`] },
});

/** Names of which one begins as another, and such as YAML has in quotes. */
const owners = ['ann', 'anna', 'an', 'true', 'a:', "o'hara", '1e3'];

/** Fills a store, and asks for all pages of everybody. */
async function pagesOf(store: SchematicStore) {
  for (const owner of [...owners, undefined])
    for (let number = 0; number < 7; number += 1) {
      const each = schematic(number, owner);
      await store.put(schematicId(each), canonicalText(each));
    }
  const found = new Map<string, string[]>();
  for (const owner of owners) {
    const ids: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const { schematics, next } = await ownedSchematics(store, owner, { after, limit: '3' });
      ids.push(...schematics.map(({ id }) => id));
      after = next;
    }
    found.set(owner, ids);
  }
  return found;
}

const expected = new Map(
  owners.map((owner) => [
    owner,
    Array.from({ length: 7 }, (_, number) => schematicId(schematic(number, owner))).toSorted(),
  ]),
);

test('pages of a list have each schematic of its owner once, and none of anybody else', async (t) => {
  await using store = await SqliteSchematics.open(await temporaryDirectory(t));
  t.deepEqual(await pagesOf(store), expected);
});

testWith(program('postgres'), program('initdb'))(
  'so they are in a database that factories share',
  async (t) => {
    const server = await postgresServer(t);
    await using records = await openRecords('/nowhere', { postgres: { url: server.url() } });
    t.deepEqual(await pagesOf(records.schematics), expected);
  },
);

test('a list begins with an index, however many schematics others have, and finds those of before there was one', async (t) => {
  const directory = await temporaryDirectory(t);
  const before = new DatabaseSync(join(directory, 'schematics.sqlite'));
  before.exec(
    'CREATE TABLE schematics (id TEXT PRIMARY KEY, text TEXT NOT NULL, created TEXT NOT NULL) STRICT, WITHOUT ROWID',
  );
  const each = schematic(1, 'ann');
  const insert = before.prepare('INSERT INTO schematics VALUES (?, ?, ?)');
  insert.run(schematicId(each), canonicalText(each), '2026-01-02T03:04:05.000Z');
  before.close();
  {
    await using store = await SqliteSchematics.open(directory);
    const { schematics } = await ownedSchematics(store, 'ann', {});
    const createdAt = new Date('2026-01-02T03:04:05Z');
    t.deepEqual(schematics, [{ id: schematicId(each), text: canonicalText(each), createdAt }]);
  }
  using database = new DatabaseSync(join(directory, 'schematics.sqlite'));
  const plan = database
    .prepare(
      "EXPLAIN QUERY PLAN SELECT id FROM schematics WHERE text GLOB 'owner: *' AND substr(text, 1, instr(text, char(10)) - 1) = ? AND id > ? ORDER BY id",
    )
    .all('owner: ann', '');
  t.regex(JSON.stringify(plan), /SEARCH schematics USING INDEX schematics_by_owner/u);
});

test('who asks for their own schematics gets these alone, a page at a time', async (t) => {
  const running = await guardedFactory(t, {
    authentication: { ...defaultAuthentication, hasPublicSchematics: true },
  });
  const tokens = await Promise.all(
    ['ann', 'bob'].map((name) => tokenOf(running, name, ['schematic:create', 'schematic:read'])),
  );
  const [ann = '', bob = ''] = tokens;
  const ids: string[] = [];
  for (const args of ['a', 'b', 'c'])
    ids.push(await submitBy(running, ann, `customization: {extraKernelArgs: [${args}]}`));
  const list = async (token: string, query: string): Promise<Listed> => {
    const { status, headers, body } = await ask(running, `/schematics?mine${query}`, {
      headers: bearer(token),
    });
    t.is(status, 200, body.toString());
    t.is(headers['cache-control'], 'private, no-store');
    return JSON.parse(body.toString()) as Listed;
  };
  t.deepEqual(await list(bob, ''), { schematics: [] });
  const theirs = await submitBy(running, bob);
  t.deepEqual(
    (await list(bob, '')).schematics.map(({ id }) => id),
    [theirs],
  );
  const sorted = ids.toSorted();
  const first = await list(ann, '&limit=2');
  t.deepEqual(
    first.schematics.map(({ id }) => id),
    sorted.slice(0, 2),
  );
  t.is(first.next, sorted[1]);
  t.true(first.schematics.every(({ schematic: text }) => text.startsWith('owner: ann\n')));
  const second = await list(ann, `&limit=2&after=${first.next}`);
  t.deepEqual(
    second.schematics.map(({ id }) => id),
    sorted.slice(2),
  );
  t.is(second.next, undefined);
  // What comes behind somebody else's is one's own, too.
  for (const { id } of (await list(ann, `&after=${theirs}`)).schematics) t.true(ids.includes(id));
});

test('there is no list of all, and pages that make no sense are refused', async (t) => {
  const running = await guardedFactory(t);
  const headers = bearer(await tokenOf(running, 'ann', ['schematic:read']));
  for (const query of [
    '',
    '?mine=false',
    '?mine&limit=0',
    '?mine&limit=-1',
    '?mine&limit=x',
    '?mine&after=x',
  ]) {
    const { status, body } = await ask(running, `/schematics${query}`, { headers });
    t.is(`${status} ${body.toString().split(':')[0]}`, '400 ERR_FACTORY_REQUEST', query);
  }
  const all = await ask(running, '/schematics?mine&limit=999999999', { headers });
  t.is(all.status, 200);
});

test('a page is bounded, however many are asked for', async (t) => {
  await using store = await SqliteSchematics.open(await temporaryDirectory(t));
  for (let number = 0; number < 60; number += 1) {
    const each = schematic(number, 'ann');
    await store.put(schematicId(each), canonicalText(each));
  }
  t.is((await ownedSchematics(store, 'ann', { limit: '60' })).schematics.length, 50);
});

test('nobody has a list where nobody is asked who they are', async (t) => {
  const running = await runningFactory(t);
  await submit(running, '{}');
  const { status, body } = await ask(running, '/schematics?mine');
  t.is(status, 400);
  t.regex(body.toString(), /^ERR_FACTORY_REQUEST: mine: this factory does not know its callers/u);
});

test('a store that can not find them says so', async (t) => {
  const store = { put: async () => true, get: async () => undefined, [Symbol.asyncDispose]: async () => {} };
  await t.throwsAsync(ownedSchematics(store, 'alice', {}), {
    code: 'ERR_FACTORY_UNSUPPORTED',
    message: /keeps schematics in a registry, which lists none/,
  });
});
