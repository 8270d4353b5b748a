import { execFileSync } from 'node:child_process';
import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { SigningKeys } from '../../src/tokens/signing-keys.ts';
import { signToken, type Token, verifyToken } from '../../src/tokens/token.ts';

const now = new Date('2026-06-01T12:00:00Z');
const second = now.getTime() / 1_000;

const good = {
  iss: 'image-factory',
  sub: 'ann',
  jti: '7a1c4b0e-5a57-4c2e-9d43-0d6a8d3d9f10',
  iat: second,
  exp: second + 300,
  scope: 'image:read',
  stored: false,
};

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

type Parts = { readonly keys: SigningKeys; readonly key: KeyObject; readonly pem: string };

/** A compact token, signed as ES256 is, whatever its header says. */
function forge({ key, keys }: Parts, claims: unknown, header: object = {}): string {
  const text = `${part({ alg: 'ES256', typ: 'JWT', kid: keys.signer.kid, ...header })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

async function parts(t: ExecutionContext): Promise<Parts> {
  const path = join(await temporaryDirectory(t), 'token.key');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeFile(path, pem);
  return { keys: await SigningKeys.load([path]), key: createPrivateKey(pem), pem };
}

test('what is forged here by hand is a token when nothing of it is wrong', async (t) => {
  const all = await parts(t);
  const token: Token = {
    id: good.jti,
    subject: 'ann',
    scopes: ['image:read'],
    issuableScopes: [],
    isStored: false,
    isAnySubject: false,
    issuedAt: second,
    expiresAt: second + 300,
  };
  t.deepEqual(await verifyToken(forge(all, good), all.keys, now), token);
  t.deepEqual(await verifyToken(await signToken(token, all.keys), all.keys, now), token);
});

const without = (name: keyof typeof good): object => {
  const { [name]: _, ...others } = good;
  return others;
};

const claims: Readonly<Record<string, unknown>> = {
  'another issuer': { ...good, iss: 'fleet' },
  'no issuer': without('iss'),
  'no subject': without('sub'),
  'an empty subject': { ...good, sub: '' },
  'no ID': without('jti'),
  'no expiry': without('exp'),
  'no time of issue': without('iat'),
  'expired for longer than clocks may differ': { ...good, exp: second - 31 },
  'issued later than clocks may differ': { ...good, iat: second + 31 },
  'not valid yet': { ...good, nbf: second + 31 },
  'expiry as text': { ...good, exp: `${second + 300}` },
  'no word whether it is stored, as in earlier versions': without('stored'),
  'stored as text': { ...good, stored: 'false' },
  'no scope': without('scope'),
  'scope as a list': { ...good, scope: ['image:read'] },
  'an unknown scope beside a known one': { ...good, scope: 'image:read image:write' },
  'a scope of an earlier version': { ...good, scope: 'download' },
  'a wildcard': { ...good, scope: 'image:*' },
  'a scope twice': { ...good, scope: 'image:read image:read' },
  'scopes with two spaces': { ...good, scope: 'image:read  source:pull' },
  'a scope in capitals': { ...good, scope: 'IMAGE:READ' },
  'an unknown issuable scope': { ...good, issuable_scopes: 'admin' },
  'for others, and stored': { ...good, stored: true, any_subject: true },
  'for others by a word': { ...good, any_subject: 'true' },
  'a claim twice': JSON.stringify(good).replace('"sub":"ann"', '"sub":"bob","sub":"ann"'),
  'a claim twice, once escaped': JSON.stringify(good).replace('"sub":"ann"', '"s\\u0075b":"bob","sub":"ann"'),
  'a list of claims': [good],
  'no JSON': 'x',
  'more than any token has': { ...good, sub: 'a'.repeat(5_000) },
};

for (const [what, claim] of Object.entries(claims))
  test(`refused although its signature holds: ${what}`, async (t) => {
    const all = await parts(t);
    const token = forge(all, claim);
    const error = await t.throwsAsync(verifyToken(token, all.keys, now), { code: 'ERR_FACTORY_CREDENTIAL' });
    t.false(error?.message.includes('ann'));
  });

test('clocks may differ by 30 seconds', async (t) => {
  const all = await parts(t);
  for (const claim of [
    { ...good, exp: second - 29 },
    { ...good, iat: second + 29 },
  ])
    t.is((await verifyToken(forge(all, claim), all.keys, now)).subject, 'ann');
});

const headers: Readonly<Record<string, object>> = {
  'no key named': { kid: undefined },
  'a key nobody knows': { kid: 'AAAA' },
  'an algorithm of another key': { alg: 'EdDSA' },
  'an algorithm of another curve': { alg: 'ES384' },
  'a demand to be understood': { crit: ['b64'], b64: true },
  'a demand that nobody knows': { crit: ['x'], x: 1 },
  'another sort of token': { typ: 'at+jwt' },
  'no sort': { typ: undefined },
};

for (const [what, header] of Object.entries(headers))
  test(`refused for its header: ${what}`, async (t) => {
    const all = await parts(t);
    await t.throwsAsync(verifyToken(forge(all, good, header), all.keys, now), {
      code: 'ERR_FACTORY_CREDENTIAL',
    });
  });

test('refused: no algorithm, the public key as a secret, a signature of another key, and one bit less', async (t) => {
  const all = await parts(t);
  const { kid, publicKey } = all.keys.signer;
  const none = `${part({ alg: 'none', typ: 'JWT', kid })}.${part(good)}.`;
  const text = `${part({ alg: 'HS256', typ: 'JWT', kid })}.${part(good)}`;
  const secret = publicKey.export({ type: 'spki', format: 'pem' });
  const hmac = `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  const other = forge({ ...all, key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }, good);
  const [head, , signature] = forge(all, good).split('.');
  const exchanged = `${head}.${part({ ...good, sub: 'bob' })}.${signature}`;
  const bits = Buffer.from(signature ?? '', 'base64url');
  bits[5]! ^= 1;
  const flipped = `${head}.${part(good)}.${bits.toString('base64url')}`;
  for (const token of [none, hmac, other, exchanged, flipped, '', '.', '..', 'a.b.c', `${none}.a.b`])
    await t.throwsAsync(verifyToken(token, all.keys, now), { code: 'ERR_FACTORY_CREDENTIAL' }, token);
});

test('tokens of openssl are tokens, and openssl takes ours', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'ed25519.key');
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', file]);
  const keys = await SigningKeys.load([file]);
  const text = `${part({ alg: 'EdDSA', typ: 'JWT', kid: keys.signer.kid })}.${part(good)}`;
  await writeFile(join(directory, 'text'), text);
  const raw = execFileSync('openssl', [
    'pkeyutl',
    '-sign',
    '-rawin',
    '-inkey',
    file,
    '-in',
    join(directory, 'text'),
  ]);
  const token = await verifyToken(`${text}.${raw.toString('base64url')}`, keys, now);
  t.is(token.subject, 'ann');

  const ours = await signToken(token, keys);
  const [head, body, signature = ''] = ours.split('.');
  await writeFile(join(directory, 'ours'), `${head}.${body}`);
  await writeFile(join(directory, 'signature'), Buffer.from(signature, 'base64url'));
  const judged = ['pkeyutl', '-verify', '-rawin', '-inkey', file, '-in', join(directory, 'ours')];
  const said = execFileSync('openssl', [...judged, '-sigfile', join(directory, 'signature')]).toString();
  t.regex(said, /Signature Verified Successfully/);
});
