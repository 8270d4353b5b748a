import { temporaryDirectory, program, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { openRecords, type Records } from '../src/records.ts';
import type { TokenRecord } from '../src/tokens/token-records.ts';
import { postgresServer } from './postgres-server.ts';

/** Two factories' view of the same records. */
type Pair = readonly [Records, Records];

const now = 1_800_000_000;
const tokenOf = (id: string, subject = 'ann'): TokenRecord => ({
  id,
  subject,
  name: `of "${subject}" 💾`,
  scopes: ['image:read', 'schematic:create'],
  issuableScopes: [],
  createdAt: now,
  expiresAt: now + 3_600,
});

/** What holds of records wherever they are. */
const contract: Readonly<Record<string, (t: ExecutionContext, pair: Pair) => Promise<void>>> = {
  'what one factory has kept the other has, byte for byte': async (t, [a, b]) => {
    const text =
      "customization:\n    extraKernelArgs:\n        - 'quoted \\'' -- ; DROP TABLE \u{1f4be}\n".repeat(800);
    t.is(await a.schematics.get('a'), undefined);
    t.true(await a.schematics.put('a', text));
    t.is(await b.schematics.get('a'), text);
    t.false(await b.schematics.put('a', 'another'));
    t.is(await a.schematics.get('a'), text);
  },
  'of many that keep the same at once, one has made it': async (t, pair) => {
    const puts = Array.from({ length: 40 }, (_, index) =>
      pair[index % 2]!.schematics.put('b', `by ${index}`),
    );
    const made = await Promise.all(puts);
    t.is(made.filter(Boolean).length, 1);
    t.is(await pair[0].schematics.get('b'), `by ${made.indexOf(true)}`);
  },
  'of many tokens at once, none comes through beyond the limit': async (t, pair) => {
    const records = [await pair[0].tokens(), await pair[1].tokens()] as const;
    const adds = Array.from({ length: 22 }, (_, index) =>
      records[index % 2]!.add(tokenOf(`limit-${index}`, 'bob'), 10, now),
    );
    const refused = (await Promise.allSettled(adds)).filter(({ status }) => status === 'rejected');
    t.is(refused.length, 12);
    for (const { reason } of refused as PromiseRejectedResult[]) t.is(reason.code, 'ERR_FACTORY_TOKEN_LIMIT');
    t.is((await records[1].list('bob', now)).length, 10);
    await records[0].add(tokenOf('of-another', 'eve'), 10, now);
  },
  'a token that one factory revokes, the other refuses at once': async (t, pair) => {
    const [a, b] = [await pair[0].tokens(), await pair[1].tokens()];
    await a.add(tokenOf('revoked'), 10, now);
    t.true(await b.has('revoked', 'ann', now));
    t.false(await b.has('revoked', 'eve', now));
    t.false(await b.has('revoked', 'ann', now + 3_600));
    t.false(await b.revoke('revoked', 'eve', now));
    t.true(await b.has('revoked', 'ann', now));
    t.true(await b.revoke('revoked', 'ann', now));
    t.false(await a.has('revoked', 'ann', now));
    t.false(await a.revoke('revoked', 'ann', now));
    t.deepEqual(await a.list('ann', now), []);
  },
  'a list has what was kept, the oldest first, and the day of the last use': async (t, pair) => {
    const [a, b] = [await pair[0].tokens(), await pair[1].tokens()];
    const [first, second] = [tokenOf('z', 'list'), { ...tokenOf('a', 'list'), createdAt: now + 1 }];
    await a.add(second, 10, now);
    await a.add(first, 10, now);
    await b.used('a', '2026-11-23');
    await a.used('a', '2026-11-22');
    t.deepEqual(await b.list('list', now), [first, { ...second, lastUsedOn: '2026-11-23' }]);
  },
  'tokens whose time has passed go, and make room': async (t, pair) => {
    const [a, b] = [await pair[0].tokens(), await pair[1].tokens()];
    for (const id of ['old-1', 'old-2']) await a.add(tokenOf(id, 'old'), 2, now);
    const later = now + 3_600;
    const records = ['new-1', 'new-2'].map((id) => ({ ...tokenOf(id, 'old'), expiresAt: later + 60 }));
    await Promise.all([a.add(records[0]!, 2, later), b.add(records[1]!, 2, later)]);
    t.deepEqual(
      (await a.list('old', now)).map(({ id }) => id),
      ['new-1', 'new-2'],
    );
  },
  'an ID of any bytes is one that is not there': async (t, pair) => {
    const tokens = await pair[0].tokens();
    for (const id of ['\0', "' OR '1'='1", '\u{1f4be}', '%', 'x'.repeat(100_000)])
      t.false(await tokens.revoke(id, 'ann', now), id.slice(0, 20));
  },
};

async function pairOf(t: ExecutionContext, open: () => Promise<Records>): Promise<Pair> {
  const pair = await Promise.all([open(), open()]);
  t.teardown(async () => await Promise.all(pair.map((one) => one[Symbol.asyncDispose]())));
  return pair;
}

test('files of one machine', async (t) => {
  for (const [title, holds] of Object.entries(contract)) {
    const directory = await temporaryDirectory(t);
    t.log(title);
    await holds(t, await pairOf(t, () => openRecords(directory)));
  }
});

testWith(program('postgres'))('PostgreSQL, with two factories that begin at once', async (t) => {
  const server = await postgresServer(t);
  for (const [title, holds] of Object.entries(contract)) {
    t.log(title);
    await holds(t, await pairOf(t, () => openRecords('/nowhere', { postgres: { url: server.url() } })));
  }
});
