import { Metadata } from '@grpc/grpc-js';
import { generateSigningKey, readSigningKey, readVerifyingKey, signCall } from '@nodecore/authv1';
import { identities, publicKeys, users } from '@nodecore/fleet-api';
import { memoryState, type State } from '@nodecore/state';
import { systemClock } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';

import { createKey, createUser, keyOf } from '../src/accounts/account.ts';
import { authenticator } from '../src/access/authenticate.ts';
import { nobody } from '../src/access/caller.ts';

const path = '/nodecore.fleet.v1.StateService/List';
const identity = 'me@example.org';

async function scene(t: ExecutionContext): Promise<{
  state: State;
  keyId: string;
  called: (headers?: Record<string, string>, as?: string) => Promise<unknown>;
}> {
  const state = memoryState();
  t.teardown(async () => await state[Symbol.asyncDispose]());
  const { secret, publicKey } = await generateSigningKey({
    name: 'test',
    email: identity,
    lifetimeMs: 60_000,
  });
  using _secret = secret;
  const key = await readSigningKey(secret);
  await state.transaction([
    ...createUser(identity, 'Operator'),
    createKey(await readVerifyingKey(publicKey), identity, 'Admin'),
    ...createUser('other@example.org', 'Admin'),
  ]);
  const authenticate = authenticator({ state, clock: systemClock });
  return {
    state,
    keyId: key.keyId,
    called: async (headers, as = identity) => {
      const metadata = new Metadata();
      const all = headers ?? (await signCall(key, { path, identity: as }));
      for (const [name, value] of Object.entries(all)) metadata.set(name, value);
      return await authenticate({ path, metadata, peer: '' });
    },
  };
}

const refused = { code: 'ERR_FLEET_UNAUTHENTICATED' };

test('a call is from who signed it, with the lesser of the roles of user and key', async (t) => {
  const { called, keyId } = await scene(t);
  t.deepEqual(await called(), { identity, role: 'Operator', keyId });
  t.is(await called({}), nobody);
});

test('whatever is wrong with a signature, the answer is one', async (t) => {
  const { called, state, keyId } = await scene(t);
  const messages = new Set<string | undefined>();
  const refusedOne = async (call: Promise<unknown>): Promise<void> => {
    messages.add((await t.throwsAsync(call, refused))?.message);
  };
  await refusedOne(called({ 'x-authv1-timestamp': '1' }));
  await refusedOne(called(undefined, 'other@example.org')); // his own key, and the name of somebody else
  await refusedOne(called(undefined, 'stranger@example.org'));
  await state.destroy(keyOf(publicKeys, keyId));
  await refusedOne(called());
  t.is(messages.size, 1);
});

test('a role that was lowered, a user who goes and an identity that is gone count at once', async (t) => {
  const { called, state } = await scene(t);
  const named = await state.get(keyOf(identities, identity));
  const user = keyOf(users, (named!.spec as { userId: string }).userId);
  await state.update(user, { role: 'Reader' }, { version: 1 });
  t.like(await called(), { role: 'Reader' });
  await state.update(user, { role: 'nonsense' }, { version: 2 });
  t.like(await called(), { role: 'None' });
  await state.teardown(user);
  await t.throwsAsync(called(), refused);
});

test('a key whose resource has expired signs nothing', async (t) => {
  const { called, state, keyId } = await scene(t);
  const key = keyOf(publicKeys, keyId);
  const { spec } = (await state.get(key))!;
  await state.update(key, { ...(spec as object), expiration: '2020-01-01T00:00:00Z' }, { version: 1 });
  await t.throwsAsync(called(), refused);
});
