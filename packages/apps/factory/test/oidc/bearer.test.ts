import { createHmac, createPublicKey } from 'node:crypto';

import test from 'ava';

import { bearer, submitBy, tokenOf } from '../known-callers.ts';
import { ask } from '../running-factory.ts';
import { bodyOf, oidcFactory, statusBy } from './oidc-factory.ts';
import { issuerKey } from './sample-issuer.ts';

const now = Math.floor(Date.now() / 1_000);
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('tokens of an issuer are taken by each algorithm of public keys, and its keys are asked for once', async (t) => {
  const { issuer, running } = await oidcFactory(t);
  issuer.keys = (['RS256', 'PS384', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const).map((alg) =>
    issuerKey(alg, alg),
  );
  const answers = await Promise.all(
    issuer.keys.map(async (key) => await statusBy(running, await issuer.token({}, key))),
  );
  t.deepEqual(new Set(answers), new Set([200]));
  t.is(issuer.count('/keys'), 1);
  t.is(
    await statusBy(
      running,
      await issuer.token({ aud: ['other', 'factory'] }, issuer.keys[0], { typ: 'at+jwt' }),
    ),
    200,
  );
  t.is(issuer.count('/keys'), 1);
});

test('who an issuer knows has schematics and tokens of their own, beside callers with tokens of the factory', async (t) => {
  const { issuer, running } = await oidcFactory(t);
  const token = await issuer.token();
  const id = await submitBy(running, token, '{"customization":{"extraKernelArgs":["quiet"]}}');
  const read = async (by: string): Promise<number> =>
    (await ask(running, `/schematics/${id}`, { headers: bearer(by) })).status;
  t.is(await read(token), 200);
  t.is(await read(await issuer.token({ sub: 'bob' })), 403);
  t.is(await read(await tokenOf(running, 'ann', ['schematic:read'])), 200);
  const basic = Buffer.from(`x:${token}`).toString('base64');
  t.is((await ask(running, '/v2/', { headers: { authorization: `Basic ${basic}` } })).status, 200);
  const issued = await ask(running, '/tokens', {
    method: 'POST',
    headers: bearer(token),
    body: '{"name":"ci","actor":"operator"}',
  });
  t.is(JSON.parse(bodyOf(issued)).subject, 'ann');
  const foreign = '{"name":"ci","actor":"operator","subject":"bob"}';
  t.is(
    (await ask(running, '/tokens', { method: 'POST', headers: bearer(token), body: foreign })).status,
    403,
  );
});

test('a token of an issuer is in no address and no script: what is there is one of the factory, for minutes', async (t) => {
  const { issuer, running } = await oidcFactory(t, {
    roles: {
      claim: 'groups',
      profiles: new Map([
        ['machines', 'node'],
        ['all', 'admin'],
      ]),
    },
  });
  const id = await submitBy(running, await issuer.token({ groups: ['all'] }));
  const token = await issuer.token({ groups: ['machines'] });
  const path = `/image/${id}/v1.14.0/kernel-amd64`;
  t.is((await ask(running, path, { headers: bearer(token) })).status, 200);
  t.is((await ask(running, `${path}?token=${token}`)).status, 401);
  const script = bodyOf(await ask(running, `/pxe/${id}/v1.14.0/metal-amd64`, { headers: bearer(token) }));
  t.false(script.includes(token));
  const [, own = ''] = /kernel \S+\?token=(\S+)/.exec(script) ?? [];
  t.is((await ask(running, `${path}?token=${own}`)).status, 200);
});

const good = { iss: undefined, iat: now, exp: now + 300 };
const refusals: Readonly<Record<string, object>> = {
  'another issuer': { iss: 'http://127.0.0.1:1' },
  'the issuer with a slash': { iss: 'SLASH' },
  'no issuer': { iss: undefined },
  'the issuer of the factory': { iss: 'image-factory' },
  'another audience': { aud: 'other' },
  'no audience': { aud: undefined },
  'expired for longer than clocks may differ': { exp: now - 40 },
  'no expiry': { exp: undefined },
  'issued later than clocks may differ': { iat: now + 120 },
  'not valid yet': { nbf: now + 120 },
  'no subject': { sub: undefined },
  'an empty subject': { sub: '' },
  'a subject with a line break': { sub: 'ann\nbob' },
  'a subject that is no text': { sub: 7 },
  'a subject that is too long': { sub: 'a'.repeat(257) },
  'more than any token has': { sub: 'ann', more: 'a'.repeat(20_000) },
};

test('refused although its signature holds: other issuers, audiences, times and subjects', async (t) => {
  const { issuer, running } = await oidcFactory(t);
  t.is(await statusBy(running, await issuer.token({ ...good, iss: issuer.url })), 200);
  for (const [what, claims] of Object.entries(refusals)) {
    const given = 'iss' in claims && claims.iss === 'SLASH' ? { iss: `${issuer.url}/` } : claims;
    const status = await statusBy(running, await issuer.token(given));
    t.is(status, what === 'more than any token has' ? 431 : 401, what);
  }
  for (const header of [{ typ: 'logout+jwt' }, { crit: ['b64'], b64: true }, { crit: ['x'], x: 1 }])
    t.is(await statusBy(running, await issuer.token({}, issuer.keys[0], header).catch(() => 'a.b.c')), 401);
  t.is(await statusBy(running, await issuer.token({ exp: now - 20, iat: now + 20 })), 200);
});

test('refused: no algorithm, a public key as a secret, a key of another type, another key by its name, a short key', async (t) => {
  const { issuer, running } = await oidcFactory(t);
  const key = issuerKey('rsa', 'RS256');
  issuer.keys = [key];
  const [, claims = ''] = (await issuer.token()).split('.');
  const none = `${part({ alg: 'none', kid: 'rsa' })}.${claims}.`;
  const text = `${part({ alg: 'HS256', kid: 'rsa' })}.${claims}`;
  const pem = createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' });
  const confused = `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
  const other = await issuer.token({}, { ...issuerKey('rsa', 'ES256') });
  const stranger = await issuer.token({}, issuerKey('rsa', 'RS256'));
  for (const token of [none, confused, other, stranger, `${text}.`, '..', 'a.b.c'])
    t.is(await statusBy(running, token), 401, token);
  // A key in the header, or an address of one, is nobody's word.
  const brought = issuerKey('own', 'ES256');
  t.is(
    await statusBy(running, await issuer.token({}, brought, { jwk: brought.jwk, jku: `${issuer.url}/x` })),
    401,
  );
  t.is(issuer.count('/x'), 0);
  const { body } = await ask(running, '/tokens', { headers: bearer(stranger) });
  t.false(body.toString().includes('ann'));
});

test('a symmetric key among those of an issuer verifies nothing', async (t) => {
  const { issuer, running } = await oidcFactory(t);
  const secret = Buffer.alloc(32, 7);
  issuer.instead.set('/keys', (_, outgoing) =>
    outgoing.end(JSON.stringify({ keys: [{ kty: 'oct', kid: 'one', k: secret.toString('base64url') }] })),
  );
  const [, claims] = (await issuer.token()).split('.');
  const head = Buffer.from('{"alg":"HS256","kid":"one"}').toString('base64url');
  const text = `${head}.${claims}`;
  t.is(
    await statusBy(running, `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`),
    401,
  );
});

test('roles of a claim say what somebody may do, in a list, in words, and in a map', async (t) => {
  const profiles = new Map([
    ['machines', 'node'],
    ['ops', 'operator'],
  ]);
  for (const [claim, wrap] of [
    ['groups', (roles: unknown) => ({ groups: roles })],
    ['realm_access.roles', (roles: unknown) => ({ realm_access: { roles } })],
    ['https://example.com/roles', (roles: unknown) => ({ 'https://example.com/roles': roles })],
  ] as const) {
    const { issuer, running } = await oidcFactory(t, { roles: { claim, profiles } });
    const status = async (roles: unknown, path: string): Promise<number> =>
      (await ask(running, path, { headers: bearer(await issuer.token(wrap(roles))) })).status;
    t.is(await status(['machines'], '/v2/'), 200);
    t.is(await status(['machines'], '/vex/v1.14.0/vex.json'), 403);
    t.is(await status('other machines ops', '/vex/v1.14.0/vex.json'), 400);
    t.is(await status(['ops'], '/tokens'), 403);
    for (const roles of [undefined, [], ['admin'], 'Machines', { machines: true }, [['machines']], 7])
      t.is(await status(roles, '/v2/'), 403, JSON.stringify(roles));
  }
});

test('an email is a name when the issuer has verified it', async (t) => {
  const { issuer, running } = await oidcFactory(t, { subjectClaim: 'email' });
  const claims = { email: 'ann@example.com' };
  t.is(await statusBy(running, await issuer.token({ ...claims, email_verified: true })), 200);
  for (const verified of [undefined, false, 'true', 1])
    t.is(await statusBy(running, await issuer.token({ ...claims, email_verified: verified })), 401);
});
