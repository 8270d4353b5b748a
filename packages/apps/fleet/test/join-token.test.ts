import { joinTokens } from '@nodecore/fleet-api';
import { memoryState } from '@nodecore/state';
import test from 'ava';

import { ensureDefaultToken } from '../src/tokens/default-token.ts';
import { checkJoinToken, kindOf, newJoinToken } from '../src/tokens/join-token.ts';

const now = Date.parse('2026-05-01T12:00:00Z');

test('a token admits machines until it is revoked or has expired', async (t) => {
  await using state = memoryState();
  const verdictOf = async (spec: { revoked: boolean; expirationTime?: string }): Promise<string> => {
    const id = newJoinToken();
    t.regex(id, /^[0-9A-Za-z]{43}$/u);
    await state.create({ ...kindOf(joinTokens), id }, { name: 'x', ...spec });
    return await checkJoinToken(state, id, now);
  };
  t.is(await verdictOf({ revoked: false }), 'valid');
  t.is(await verdictOf({ revoked: true }), 'revoked');
  t.is(await verdictOf({ revoked: false, expirationTime: '2026-05-01T12:00:01Z' }), 'valid');
  t.is(await verdictOf({ revoked: false, expirationTime: '2026-05-01T12:00:00Z' }), 'expired');
  t.is(await verdictOf({ revoked: false, expirationTime: 'never' }), 'expired');
  t.is(await checkJoinToken(state, newJoinToken(), now), 'unknown');
  t.is(await checkJoinToken(state, '', now), 'unknown');
});

test('a token that is being torn down admits nobody', async (t) => {
  await using state = memoryState();
  const key = { ...kindOf(joinTokens), id: newJoinToken() };
  await state.create(key, { name: 'x', revoked: false });
  await state.teardown(key);
  t.is(await checkJoinToken(state, key.id, now), 'unknown');
});

test('a fleet has one default token, however often it starts', async (t) => {
  await using state = memoryState();
  const clock = { now: () => now } as never;
  await ensureDefaultToken({ state, clock });
  await ensureDefaultToken({ state, clock });
  t.is((await state.list(kindOf(joinTokens))).resources.length, 1);
});
