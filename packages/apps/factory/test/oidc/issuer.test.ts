import type { ServerResponse } from 'node:http';

import test from 'ava';

import { Issuer } from '../../src/oidc/issuer.ts';
import { isPrivateAddress } from '../../src/oidc/private-address.ts';
import { bearer, tokenOf } from '../known-callers.ts';
import { ask } from '../running-factory.ts';
import { bodyOf, oidcFactory, statusBy } from './oidc-factory.ts';
import { issuerKey, SampleIssuer } from './sample-issuer.ts';

const minute = 60_000;

test('a new key of an issuer is known at its first token, and one that it has withdrawn after ten minutes', async (t) => {
  const { issuer, running, pass } = await oidcFactory(t);
  const [old] = issuer.keys;
  t.is(await statusBy(running, await issuer.token()), 200);
  const next = issuerKey('two', 'RS256');
  issuer.keys = [next, old!];
  pass(11_000);
  t.is(await statusBy(running, await issuer.token()), 200);
  t.is(issuer.count('/keys'), 2);
  issuer.keys = [next];
  t.is(await statusBy(running, await issuer.token({}, old)), 200);
  pass(10 * minute);
  t.is(
    await statusBy(running, await issuer.token({ exp: Math.floor(Date.now() / 1_000) + 3_600 }, old)),
    401,
  );
});

test('tokens with keys that nobody has ask the issuer every ten seconds, and no oftener', async (t) => {
  const { issuer, running, pass } = await oidcFactory(t);
  t.is(await statusBy(running, await issuer.token()), 200);
  for (let at = 0; at < 20; at += 1)
    t.is(await statusBy(running, await issuer.token({}, { ...issuer.keys[0]!, kid: `none-${at}` })), 401);
  t.is(issuer.count('/keys'), 1);
  pass(11_000);
  const all = Array.from({ length: 20 }, async (_, at) =>
    statusBy(running, await issuer.token({}, { ...issuer.keys[0]!, kid: `none-${at}` })),
  );
  t.deepEqual(new Set(await Promise.all(all)), new Set([401]));
  t.is(issuer.count('/keys'), 2);
});

const answer =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  (_: unknown, outgoing: ServerResponse): void =>
    void outgoing.writeHead(status, headers).end(body);

const jsonType = { 'content-type': 'application/json' };
const discovery = '/.well-known/openid-configuration';

const failures: Readonly<Record<string, (issuer: SampleIssuer) => void>> = {
  'no discovery document': ({ instead }) => instead.set(discovery, answer(404, '{}', jsonType)),
  'a page in its place': ({ instead }) =>
    instead.set(discovery, answer(200, '<html>', { 'content-type': 'text/html' })),
  'no JSON': ({ instead }) => instead.set(discovery, answer(200, '{', jsonType)),
  null: ({ instead }) => instead.set(discovery, answer(200, 'null', jsonType)),
  'the document of another issuer': (issuer) => (issuer.described = { issuer: 'https://login.example.com' }),
  'its own name with a slash': (issuer) => (issuer.described = { issuer: `${issuer.url}/` }),
  'no address of keys': (issuer) => (issuer.described = { jwks_uri: undefined }),
  'keys in a file': (issuer) => (issuer.described = { jwks_uri: 'file:///etc/passwd' }),
  'keys in a data URL': (issuer) => (issuer.described = { jwks_uri: 'data:application/json,{"keys":[]}' }),
  'keys in a list': ({ instead }) => instead.set('/keys', answer(200, '[]', jsonType)),
  'keys that are none': ({ instead }) => instead.set('/keys', answer(200, '{"keys":["x"]}', jsonType)),
  'an error in place of keys': ({ instead }) => instead.set('/keys', answer(500, '{"keys":[]}', jsonType)),
  'more than keys ever are': ({ instead }) =>
    instead.set('/keys', answer(200, 'x'.repeat(300_000), jsonType)),
  'keys without end': ({ instead }) =>
    instead.set('/keys', (_, outgoing) => {
      const more = (): void => void (!outgoing.destroyed && outgoing.write('x'.repeat(65_536), more));
      more();
    }),
  'a redirect within': ({ instead, url }) =>
    instead.set('/keys', answer(302, '', { location: `${url}/others` })),
  'a redirect to this machine': ({ instead }) =>
    instead.set(discovery, answer(307, '', { location: 'http://169.254.169.254/latest/meta-data' })),
  'a connection that ends': ({ instead }) => instead.set('/keys', (_, outgoing) => outgoing.destroy()),
  'half an answer': ({ instead }) =>
    instead.set('/keys', (_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '100' });
      outgoing.write('{"keys"', () => outgoing.destroy());
    }),
  'no answer': ({ instead }) => instead.set('/keys', () => {}),
};

for (const [what, fail] of Object.entries(failures))
  test(`an issuer that gives ${what} can not be asked, and is asked again the next time`, async (t) => {
    const sample = await SampleIssuer.start(t);
    fail(sample);
    const timeoutMs = what === 'no answer' ? 3_000 : 20_000;
    const issuer = new Issuer({ issuer: sample.url, timeoutMs, now: () => new Date() });
    const error = await t.throwsAsync(issuer.server(), { code: 'ERR_FACTORY_ISSUER' });
    t.true(error?.message.startsWith('http://127.'), error?.message);
    t.is(sample.count('/others'), 0);
    sample.instead.clear();
    sample.described = {};
    t.is((await issuer.server()).issuer, sample.url);
  });

test('while an issuer can not be asked its callers get 503, and others are let in', async (t) => {
  const { issuer, running } = await oidcFactory(t);
  issuer.instead.set(discovery, answer(500, ''));
  const token = await issuer.token();
  const refused = await ask(running, '/tokens', { headers: bearer(token) });
  t.is(refused.status, 503);
  t.regex(bodyOf(refused), /^ERR_FACTORY_ISSUER: http/);
  t.is(await statusBy(running, await tokenOf(running, 'bob', ['token:read'])), 200);
  issuer.instead.clear();
  t.is(await statusBy(running, token), 200);
});

test('keys on another host are asked for at addresses of the internet alone', async (t) => {
  const neighbour = await SampleIssuer.start(t);
  const { issuer, running } = await oidcFactory(t);
  const { port } = new URL(neighbour.url);
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    '0x7f.1',
    '2130706433',
    '0.0.0.0',
  ]) {
    issuer.described = { jwks_uri: `http://${host}:${port}/keys` };
    t.is(await statusBy(running, await issuer.token()), 503, host);
  }
  t.is(neighbour.count('/keys'), 0);
  const isPrivate = [
    '10.0.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '168.63.129.16',
  ];
  for (const address of [
    ...isPrivate,
    '::1',
    '::',
    'fe80::1',
    'fd00:ec2::254',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fe80::1%eth0',
  ])
    t.true(isPrivateAddress(address), address);
  for (const address of ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])
    t.false(isPrivateAddress(address), address);
});

test('known keys count for an hour while the issuer does not answer, which is asked every ten seconds', async (t) => {
  const { issuer, running, pass } = await oidcFactory(t);
  const exp = Math.floor(Date.now() / 1_000) + 7_200;
  const token = await issuer.token({ exp });
  t.is(await statusBy(running, token), 200);
  issuer.instead.set(discovery, answer(500, ''));
  pass(30 * minute);
  for (let at = 0; at < 5; at += 1) t.is(await statusBy(running, token), 200);
  t.is(issuer.count(discovery), 2);
  pass(11_000);
  t.is(await statusBy(running, token), 200);
  t.is(issuer.count(discovery), 3);
  pass(30 * minute);
  t.is(await statusBy(running, token), 503);
  issuer.instead.clear();
  t.is(await statusBy(running, token), 200);
});
