import { request } from 'node:https';
import { text } from 'node:stream/consumers';

import test, { type ExecutionContext } from 'ava';

import type { RunningFleet } from '../src/fleet.ts';
import { adminOf } from './admin.ts';
import { fleetOf } from './scene.ts';

type Answered = { readonly status: number; readonly body: string; readonly headers: Record<string, unknown> };

async function asked(
  { address, authority }: RunningFleet,
  path: string,
  { method = 'GET', headers = {}, body = '' } = {},
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  request(
    { host: '127.0.0.1', port: address.port, servername: 'localhost', ca: authority, path, method, headers },
    (got) => {
      text(got).then(
        (said) => resolve({ status: got.statusCode ?? 0, body: said, headers: got.headers }),
        reject,
      );
    },
  )
    .once('error', reject)
    .end(body);
  return await promise;
}

const json = { 'content-type': 'application/json' };

async function scene(
  t: ExecutionContext,
): Promise<{ fleet: RunningFleet; login: () => Promise<string>; revoke: () => Promise<void> }> {
  const { fleet, admin } = await adminOf(t, async (options) => await fleetOf(t, options));
  return {
    fleet,
    login: async () => JSON.stringify({ login: new URL(await admin.createWebLogin()).hash.slice(1) }),
    revoke: async () => await admin.revokePublicKey((await admin.whoAmI()).keyId),
  };
}

test('a login opens one session, whose cookie is for this host alone, and ends with its key', async (t) => {
  const { fleet, login, revoke } = await scene(t);
  const body = await login();
  const opened = await asked(fleet, '/api/session', { method: 'POST', headers: json, body });
  t.is(opened.status, 200);
  const cookie = String((opened.headers['set-cookie'] as string[])[0]);
  t.regex(cookie, /^__Host-fleet=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/u);
  t.is((await asked(fleet, '/api/session', { method: 'POST', headers: json, body })).status, 401);
  const headers = { cookie: cookie.split(';')[0]! };
  const mine = await asked(fleet, '/api/session', { headers });
  t.deepEqual(JSON.parse(mine.body), { identity: 'automation@serviceaccount.fleet', role: 'Admin' });
  await revoke();
  t.is((await asked(fleet, '/api/session', { headers })).status, 401);
  t.is((await asked(fleet, '/api/machines', { headers })).status, 401);
});

test('another site can neither open nor end a session', async (t) => {
  const { fleet, login } = await scene(t);
  const body = await login();
  const from = (headers: object): Promise<Answered> =>
    asked(fleet, '/api/session', { method: 'POST', headers: { ...json, ...headers }, body });
  t.is((await from({ 'sec-fetch-site': 'cross-site' })).status, 403);
  t.is((await from({ 'sec-fetch-site': 'same-site' })).status, 403);
  t.is((await from({ origin: 'https://evil.example' })).status, 403);
  t.is((await from({ 'content-type': 'text/plain' })).status, 415);
  t.is((await from({ 'sec-fetch-site': 'same-origin' })).status, 200);
});

test('what is no login opens nothing', async (t) => {
  const { fleet } = await scene(t);
  for (const body of [
    '',
    '{',
    '[]',
    'null',
    '{"login":1}',
    '{"login":""}',
    `{"login":"${'x'.repeat(5000)}"}`,
  ]) {
    const opened = await asked(fleet, '/api/session', { method: 'POST', headers: json, body });
    t.is(opened.status, 401, body.slice(0, 20));
    t.is(opened.headers['set-cookie'], undefined);
  }
  t.is((await asked(fleet, '/api/machines')).status, 401);
  t.is((await asked(fleet, '/api/machines', { headers: { cookie: '__Host-fleet=x' } })).status, 401);
});

test('every answer has a policy that lets nothing in from elsewhere, and no path leads to a file', async (t) => {
  const { fleet } = await scene(t);
  for (const path of [
    '/',
    '/api/session',
    '/assets/../../package.json',
    '/assets/%2e%2e/x',
    '/../../etc/passwd',
  ]) {
    const { headers, body } = await asked(fleet, path);
    t.regex(
      String(headers['content-security-policy']),
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/u,
    );
    t.is(headers['x-content-type-options'], 'nosniff');
    t.false(body.includes('root:') || body.includes('"dependencies"'));
  }
});
