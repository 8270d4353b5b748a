import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { CallSigner } from '@nodecore/api';
import { decodeServiceAccount, generateSigningKey, readSigningKey, signCall } from '@nodecore/authv1';
import { connectFleet, type FleetClient, unsigned } from '@nodecore/fleet-api';
import test, { type ExecutionContext } from 'ava';

import type { RunningFleet } from '../src/fleet.ts';
import { directory, fleetOf } from './scene.ts';

const email = 'me@example.org';

async function keyOf(
  identity: string,
  lifetimeMs = 3_600_000,
): Promise<{ publicKey: string; sign: CallSigner; keyId: string }> {
  const { secret, publicKey } = await generateSigningKey({ name: 'test', email: identity, lifetimeMs });
  using _secret = secret;
  const key = await readSigningKey(secret);
  return {
    publicKey,
    keyId: key.keyId,
    sign: async (path, headers) => await signCall(key, { path, headers, identity }),
  };
}

function clientOf(t: ExecutionContext, { address, authority }: RunningFleet, sign: CallSigner): FleetClient {
  const client = connectFleet({ url: `https://127.0.0.1:${address.port}`, ca: authority, sign });
  t.teardown(() => client.close());
  return client;
}

async function signerOfFile(path: string): Promise<CallSigner> {
  const { name, key: secret } = decodeServiceAccount(await readFile(path, 'latin1'));
  using _secret = secret;
  const key = await readSigningKey(secret);
  return async (called, headers) => await signCall(key, { path: called, headers, identity: name });
}

/** A fleet with its first service account. */
async function withAdmin(
  t: ExecutionContext,
): Promise<{ fleet: RunningFleet; admin: FleetClient; keyPath: string }> {
  const keyPath = join(await directory(t), 'key');
  const fleet = await fleetOf(t, { with: { initialServiceAccount: { name: 'automation', keyPath } } });
  return { fleet, keyPath, admin: clientOf(t, fleet, await signerOfFile(keyPath)) };
}

test('the first service account has its key in a file for its owner alone, and is an administrator', async (t) => {
  const { admin, keyPath } = await withAdmin(t);
  t.is((await stat(keyPath)).mode & 0o777, 0o600);
  t.like(await admin.whoAmI(), { identity: 'automation@serviceaccount.fleet', role: 'Admin' });
});

test('a user gets in by a code that works once, and by no other', async (t) => {
  const lines: string[] = [];
  const fleet = await fleetOf(t, { with: { initialUser: email }, announce: (line) => lines.push(line) });
  const code = lines[0]?.split(' ').at(-1) ?? '';
  t.regex(code, /^(?:[2-9A-Z]{5}-){4}[2-9A-Z]{5}$/u);
  const open = clientOf(t, fleet, unsigned);
  const key = await keyOf(email);
  const { keyId, loginUrl } = await open.registerPublicKey({ publicKey: key.publicKey, identity: email });
  t.true(loginUrl.includes(keyId));
  const mine = clientOf(t, fleet, key.sign);
  await t.throwsAsync(mine.whoAmI(), { code: 'ERR_API_UNAUTHENTICATED' }); // not confirmed yet
  await t.throwsAsync(open.confirmPublicKey({ keyId, code: 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA' }), {
    code: 'ERR_API_UNAUTHENTICATED',
  });
  await open.confirmPublicKey({ keyId, code });
  t.like(await mine.whoAmI(), { identity: email, role: 'Admin', keyId });

  const second = await keyOf(email);
  const again = await open.registerPublicKey({ publicKey: second.publicKey, identity: email });
  await t.throwsAsync(open.confirmPublicKey({ keyId: again.keyId, code }), {
    code: 'ERR_API_UNAUTHENTICATED',
  });
  await mine.revokePublicKey(keyId);
  await t.throwsAsync(mine.whoAmI(), { code: 'ERR_API_UNAUTHENTICATED' });
});

test('identities that nobody knows get the same answer, and their keys never sign', async (t) => {
  const { fleet } = await withAdmin(t);
  const open = clientOf(t, fleet, unsigned);
  const key = await keyOf('stranger@example.org');
  const offer = { publicKey: key.publicKey, identity: 'stranger@example.org' };
  t.is((await open.registerPublicKey(offer)).keyId, key.keyId);
  await t.throwsAsync(clientOf(t, fleet, key.sign).whoAmI(), { code: 'ERR_API_UNAUTHENTICATED' });
  await t.throwsAsync(open.registerPublicKey({ ...offer, identity: email }), { code: 'ERR_API_INVALID' });
  const long = await keyOf('stranger@example.org', 24 * 3_600_000);
  await t.throwsAsync(open.registerPublicKey({ ...offer, publicKey: long.publicKey }), {
    code: 'ERR_API_INVALID',
  });
});

test('one address does not take all the places for keys that wait', async (t) => {
  const { fleet } = await withAdmin(t);
  const open = clientOf(t, fleet, unsigned);
  const offers = await Promise.all(Array.from({ length: 21 }, async () => await keyOf('x@example.org')));
  const answers = await Promise.allSettled(
    offers.map(({ publicKey }) => open.registerPublicKey({ publicKey, identity: 'x@example.org' })),
  );
  const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  t.is(failed.length, 1);
  t.like(failed[0], { code: 'ERR_API_EXHAUSTED' });
});

test('a role is the lesser of who asked and what was asked for, and says what may be called', async (t) => {
  const { fleet, admin } = await withAdmin(t);
  const key = await keyOf('reader@serviceaccount.fleet');
  await admin.createServiceAccount({ name: 'reader', role: 'Reader', publicKey: key.publicKey });
  const reader = clientOf(t, fleet, key.sign);
  t.is((await reader.whoAmI()).role, 'Reader');
  t.true((await reader.machineJoinConfig({})).joinUrl.startsWith('https://127.0.0.1:8080/?jointoken='));
  const denied = { code: 'ERR_API_DENIED' };
  await t.throwsAsync(reader.createJoinToken({ name: 'x' }), denied);
  await t.throwsAsync(
    reader.createServiceAccount({ name: 'y', role: 'Admin', publicKey: key.publicKey }),
    denied,
  );
  for (const type of ['Users', 'Identities', 'PublicKeys', 'AuditEvents'])
    await t.throwsAsync(Array.fromAsync(reader.list({ type: `${type}.fleet.nodecore.dev` })), denied, type);
  await admin.destroyServiceAccount('reader');
  await t.throwsAsync(reader.whoAmI(), { code: 'ERR_API_UNAUTHENTICATED' });
});

test('every change is recorded with who made it, and no record has a token', async (t) => {
  const { admin } = await withAdmin(t);
  const { id } = await admin.createJoinToken({ name: 'site a' });
  await admin.revokeJoinToken(id);
  const lists = await Array.fromAsync(admin.list({ type: 'AuditEvents.fleet.nodecore.dev' }));
  const specs = lists.flatMap(({ resources }) => resources.map(({ spec }) => Buffer.from(spec).toString()));
  t.false(specs.some((spec) => spec.includes(id)));
  const own = specs
    .map((spec) => JSON.parse(spec) as Record<string, string>)
    .filter(({ actor }) => actor === 'automation@serviceaccount.fleet');
  t.deepEqual(
    own.map(({ eventType, resourceId, role }) => [eventType, resourceId, role]),
    [
      ['create', 'site a', 'Admin'],
      ['update', 'site a', 'Admin'],
    ],
  );
});
