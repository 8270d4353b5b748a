import { rm, writeFile } from 'node:fs/promises';

import test, { type ExecutionContext } from 'ava';

import { ask, type Answered, type Running } from '../running-factory.ts';
import { bodyOf, oidcFactory, type OidcFactory } from './oidc-factory.ts';
import type { SampleIssuer } from './sample-issuer.ts';

/** Follows a login as far as the address that the issuer leads back to. */
async function begin(
  running: Running,
  to = '/ui/tokens?lang=de',
): Promise<{ readonly back: string; readonly cookie: string; readonly location: URL }> {
  const led = await ask(running, `/login?to=${encodeURIComponent(to)}`);
  const location = new URL(String(led.headers['location']));
  const answered = await fetch(location, { redirect: 'manual' });
  const back = new URL(answered.headers.get('location') ?? '');
  return { back: `${back.pathname}${back.search}`, cookie: cookieOf(led), location };
}

async function logIn(running: Running): Promise<string> {
  const { back, cookie } = await begin(running);
  return cookieOf(await ask(running, back, { headers: { cookie } }));
}

function cookieOf({ headers }: Answered): string {
  return String(headers['set-cookie']).split(';', 1)[0] ?? '';
}

test('who looks at a page is led to the issuer and back to that page, and is logged in until they log out', async (t) => {
  const { issuer, running } = await oidcFactory(t);
  const led = await ask(running, '/ui/tokens?lang=de');
  t.is(led.status, 303);
  t.is(led.headers['location'], `/login?to=${encodeURIComponent('/ui/tokens?lang=de')}`);
  const { back, cookie, location } = await begin(running);
  t.is(location.origin, issuer.url);
  const { code_verifier: verifier, ...asked } = Object.fromEntries(location.searchParams);
  t.like(asked, {
    client_id: 'factory',
    redirect_uri: 'http://factory.example.com/callback',
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid email',
  });
  t.is(verifier, undefined);
  const done = await ask(running, back, { headers: { cookie } });
  t.is(done.status, 303);
  t.is(done.headers['location'], '/ui/tokens?lang=de');
  t.regex(String(done.headers['set-cookie']), /; Path=\/; HttpOnly; SameSite=Lax$/);
  const session = cookieOf(done);
  const page = await ask(running, '/ui/tokens?lang=de', { headers: { cookie: `theme=dark; ${session}` } });
  t.is(page.status, 200);
  t.regex(bodyOf(page), /href="\/logout\?lang=de">Abmelden/);
  const asks = await ask(running, '/logout?lang=de', { headers: { cookie: session } });
  t.is(asks.status, 200);
  t.is((await ask(running, '/ui/tokens', { headers: { cookie: session } })).status, 200);
  const form = { 'content-type': 'application/x-www-form-urlencoded', cookie: session };
  const stranger = { ...form, 'sec-fetch-site': 'cross-site' };
  t.is((await ask(running, '/logout', { method: 'POST', headers: stranger, body: 'lang=de' })).status, 403);
  t.is((await ask(running, '/ui/tokens', { headers: { cookie: session } })).status, 200);
  const out = await ask(running, '/logout', { method: 'POST', headers: form, body: 'lang=de' });
  t.is(out.status, 200);
  t.regex(String(out.headers['set-cookie']), /^factory-session=; Max-Age=0;/);
  t.is((await ask(running, '/ui/tokens', { headers: { cookie: session } })).status, 303);
});

test('a login counts for what is read and for forms of pages, and for no other request', async (t) => {
  const { running } = await oidcFactory(t);
  const cookie = await logIn(running);
  const post = async (path: string, headers: Record<string, string>, body: string): Promise<number> =>
    (await ask(running, path, { method: 'POST', headers: { cookie, ...headers }, body })).status;
  t.is((await ask(running, '/tokens', { headers: { cookie } })).status, 200);
  t.is((await ask(running, '/v2/', { headers: { cookie } })).status, 200);
  t.is(await post('/schematics', {}, '{}'), 401);
  t.is(await post('/tokens', {}, '{"name":"n","actor":"node"}'), 401);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  t.is(await post('/ui/tokens', form, 'name=n&actor=node&lang=en'), 200);
  t.is(await post('/ui/tokens', { ...form, 'sec-fetch-site': 'cross-site' }, 'name=n&actor=node'), 403);
  t.is(await post('/ui/tokens', { ...form, origin: 'http://evil.example' }, 'name=n&actor=node'), 403);
  // A credential that is given counts, and not the login beside it.
  t.is((await ask(running, '/tokens', { headers: { cookie, authorization: 'Bearer x' } })).status, 401);
  t.is((await ask(running, '/tokens', { headers: { cookie: `${cookie}; ${cookie}` } })).status, 401);
});

test('a login ends after eight hours, and with its factory', async (t) => {
  const { running, pass } = await oidcFactory(t);
  const cookie = await logIn(running);
  pass(8 * 3_600_000 - 1_000);
  t.is((await ask(running, '/tokens', { headers: { cookie } })).status, 200);
  pass(1_000);
  t.is((await ask(running, '/tokens', { headers: { cookie } })).status, 401);
});

const refused = async (
  t: ExecutionContext,
  answered: Answered,
  status: number,
  what: RegExp,
): Promise<void> => {
  t.is(answered.status, status);
  t.regex(bodyOf(answered), what);
  t.is(answered.headers['set-cookie'], undefined);
  t.false(String(answered.headers['www-authenticate']).includes('Basic'));
};

test('what comes back to another browser, changed, twice or too late logs nobody in', async (t) => {
  const { running, pass } = await oidcFactory(t);
  const first = await begin(running);
  const second = await begin(running);
  const none = /has begun no login/;
  await refused(t, await ask(running, first.back), 400, none);
  await refused(
    t,
    await ask(running, first.back, { headers: { cookie: second.cookie } }),
    400,
    /not what was begun/,
  );
  const torn = { cookie: first.cookie.slice(0, -4) };
  await refused(t, await ask(running, first.back, { headers: torn }), 400, none);
  const { cookie } = first;
  const changed = first.back.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example');
  await refused(t, await ask(running, changed, { headers: { cookie } }), 400, /not what was begun/);
  const without = first.back.replace(/[?&]iss=[^&]+/, '');
  await refused(t, await ask(running, without, { headers: { cookie } }), 400, /not what was begun/);
  const denied = `/callback?error=access_denied&state=${first.location.searchParams.get('state')}&iss=${encodeURIComponent(first.location.origin)}`;
  await refused(t, await ask(running, denied, { headers: { cookie } }), 400, /the issuer has refused it/);
  t.is((await ask(running, first.back, { headers: { cookie } })).status, 303);
  await refused(t, await ask(running, first.back, { headers: { cookie } }), 400, /the issuer has refused it/);
  pass(601_000);
  await refused(t, await ask(running, second.back, { headers: { cookie: second.cookie } }), 400, none);
});

const tomorrow = Math.floor(Date.now() / 1_000) + 86_400;
const tokens: Readonly<
  Record<string, readonly [claims: Readonly<Record<string, unknown>>, status: number, why?: RegExp]>
> = {
  'of another login': [{ nonce: 'x' }, 400],
  'of no login': [{ nonce: undefined }, 400],
  'of another issuer': [{ iss: 'http://127.0.0.1:1' }, 400],
  'for another client': [{ aud: 'other' }, 400],
  'for several, and asked for by another': [{ aud: ['factory', 'other'], azp: 'other' }, 400],
  'that has expired': [{ exp: 1 }, 400, /clocks may differ by 30 s/],
  'that holds from tomorrow on': [{ nbf: tomorrow }, 400, /clocks may differ by 30 s/],
  'that was made tomorrow': [{ iat: tomorrow }, 401, /clocks may differ by 30 s/],
  'of a name with a line break': [{ sub: 'a\nb' }, 401, /could be the name of somebody/],
};

test('an ID token that is not for this login logs nobody in', async (t) => {
  const { issuer, running } = await oidcFactory(t);
  for (const [what, [claims, status, why = /not what was begun/]] of Object.entries(tokens)) {
    issuer.claims = claims;
    const { back, cookie } = await begin(running);
    const answered = await ask(running, back, { headers: { cookie } });
    t.is(answered.status, status, what);
    t.regex(bodyOf(answered), why, what);
    t.is(answered.headers['set-cookie'], undefined, what);
  }
  issuer.claims = {};
  const { back, cookie } = await begin(running);
  // Its claims are right, and its signature is of nobody.
  const [key] = issuer.keys;
  issuer.keys = [{ ...key!, kid: 'nobody', jwk: { ...key!.jwk, kid: 'one', x: key!.jwk.y! } }];
  t.true([400, 401].includes((await ask(running, back, { headers: { cookie } })).status));
});

test('a login leads to pages of the factory, and nowhere else', async (t) => {
  const { running } = await oidcFactory(t);
  const leads = async (to: string): Promise<unknown> => {
    const { back, cookie } = await begin(running, to);
    return (await ask(running, back, { headers: { cookie } })).headers['location'];
  };
  t.is(await leads('/?target=metal&lang=en'), '/?target=metal&lang=en');
  t.is(await leads('/ui/schematic?schematic-id=x'), '/ui/schematic?schematic-id=x');
  const elsewhere = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/ui/\\..\\',
    '/logout',
    '/ui/a\r\nset-cookie: x',
    '',
  ];
  for (const to of elsewhere) t.is(await leads(to), '/', to);
});

test('an issuer that fails or does not know the client, and a secret that is gone: 503, and no login', async (t) => {
  const scene: OidcFactory = await oidcFactory(t, { timeoutMs: 3_000 });
  const { issuer, running } = scene;
  const { secretPath = '' } = running.options.authentication?.oidc?.client ?? {};
  const { back, cookie } = await begin(running);
  const end = async (): Promise<Answered> => await ask(running, back, { headers: { cookie } });
  const failing: readonly ((issuer: SampleIssuer) => void)[] = [
    ({ instead }) => instead.set('/token', (_, outgoing) => void outgoing.writeHead(500).end()),
    ({ instead }) =>
      instead.set('/token', (_, outgoing) => void outgoing.writeHead(302, { location: '/x' }).end()),
    ({ instead }) => instead.set('/token', (_, outgoing) => void outgoing.end('x'.repeat(300_000))),
    ({ instead }) => instead.set('/token', () => {}),
  ];
  for (const fail of failing) {
    fail(issuer);
    await refused(t, await end(), 503, /ERR_FACTORY_ISSUER/);
  }
  issuer.instead.clear();
  await writeFile(secretPath, 'another-secret');
  const unknown = await end();
  await refused(t, unknown, 503, /does not know this factory/);
  t.false(bodyOf(unknown).includes('another-secret'));
  await rm(secretPath);
  await refused(t, await end(), 503, /clientSecretPath is no longer there/);
  await writeFile(secretPath, 'the-secret');
  t.is((await end()).status, 303);
});

test('what an issuer says wrongly of itself, or to the factory, is not blamed on who logs in', async (t) => {
  for (const described of [
    { token_endpoint: undefined },
    { token_endpoint: {} },
    { token_endpoint: 'ftp://127.0.0.1/token' },
  ]) {
    const { issuer, running } = await oidcFactory(t);
    issuer.described = described;
    const { back, cookie } = await begin(running);
    const answered = await ask(running, back, { headers: { cookie } });
    await refused(t, answered, 503, /does not answer a login as OpenID Connect has it/);
  }
  const { issuer, running } = await oidcFactory(t);
  const { back, cookie } = await begin(running);
  for (const text of ['null', '[]', '{}', '{"access_token":"a","token_type":"Bearer"}']) {
    issuer.instead.set('/token', (_, outgoing) =>
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(text),
    );
    const answered = await ask(running, back, { headers: { cookie } });
    await refused(t, answered, 503, /does not answer a login as OpenID Connect has it/);
  }
});

test('an issuer that says null, or nothing that is a list, of how clients prove themselves is asked as by default', async (t) => {
  for (const methods of [null, 5]) {
    const { issuer, running } = await oidcFactory(t);
    issuer.described = { token_endpoint_auth_methods_supported: methods };
    const { back, cookie } = await begin(running);
    t.is((await ask(running, back, { headers: { cookie } })).status, 303);
  }
});

test('where nobody logs in there is no login, and a page asks as it did', async (t) => {
  const { issuer, running } = await oidcFactory(t, { client: undefined as never });
  for (const path of ['/login', '/callback', '/logout']) t.is((await ask(running, path)).status, 404, path);
  t.is((await ask(running, '/ui/tokens')).status, 401);
  t.is(issuer.count('/authorize'), 0);
});

test('by HTTPS a login is bound to the host, and sent by HTTPS alone', async (t) => {
  const { running } = await oidcFactory(t, {}, { externalUrl: 'https://factory.example.com' });
  const { headers } = await ask(running, '/login');
  t.regex(
    String(headers['set-cookie']),
    /^__Host-factory-login=\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
});
