import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { calculateJwkThumbprint } from 'jose';

import { KeyFiles } from '../../src/tokens/key-files.ts';
import { SigningKeys } from '../../src/tokens/signing-keys.ts';
import { signToken, type Token, verifyToken } from '../../src/tokens/token.ts';

const now = new Date('2026-06-01T12:00:00Z');
const token: Token = {
  id: '7a1c4b0e-5a57-4c2e-9d43-0d6a8d3d9f10',
  subject: 'ann',
  scopes: ['image:read'],
  issuableScopes: [],
  isStored: false,
  isAnySubject: false,
  issuedAt: now.getTime() / 1_000,
  expiresAt: now.getTime() / 1_000 + 300,
};

const openssl = (...args: readonly string[]): void => void execFileSync('openssl', args, { stdio: 'ignore' });

/** Keys that openssl made: of P-256 with its public half and a certificate, of Ed25519, of P-384 and of RSA. */
async function keyFiles(t: ExecutionContext): Promise<(name: string) => string> {
  const directory = await temporaryDirectory(t);
  const at = (name: string): string => join(directory, name);
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-out', at('p256'));
  openssl('pkey', '-in', at('p256'), '-pubout', '-out', at('p256.pub'));
  const selfSigned = ['req', '-x509', '-subj', '/CN=t', '-days', '1'];
  openssl(...selfSigned, '-key', at('p256'), '-out', at('p256.crt'));
  openssl('genpkey', '-algorithm', 'ed25519', '-out', at('ed25519'));
  openssl('ecparam', '-name', 'secp384r1', '-genkey', '-out', at('p384'));
  await writeFile(
    at('rsa'),
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  );
  await writeFile(at('text'), 'no key');
  return at;
}

test('the first key signs by the algorithm of its type, and a certificate or a public key verifies', async (t) => {
  const at = await keyFiles(t);
  for (const [signs, verifies, algorithm] of [
    ['p256', 'p256.pub', 'ES256'],
    ['p256', 'p256.crt', 'ES256'],
    ['ed25519', 'ed25519', 'EdDSA'],
  ] as const) {
    const signed = await signToken(token, await SigningKeys.load([at(signs)]));
    const first = verifies === 'ed25519' ? 'p256' : 'ed25519';
    const keys = await SigningKeys.load([at(first), at(verifies)]);
    t.is((await verifyToken(signed, keys, now)).subject, 'ann');
    t.like(JSON.parse(Buffer.from(signed.split('.')[0]!, 'base64url').toString()), {
      alg: algorithm,
      typ: 'JWT',
    });
    const other = await SigningKeys.load([at(first)]);
    await t.throwsAsync(verifyToken(signed, other, now), { code: 'ERR_FACTORY_CREDENTIAL' });
  }
});

test('keys that can not be used are named', async (t) => {
  const at = await keyFiles(t);
  for (const [names, message] of [
    [['p256.pub'], /p256\.pub: the first key signs, and must be a private one/],
    [['p256.crt', 'p256'], /p256: the same key as .*p256\.crt/],
    [['p256', 'ed25519', 'p256.pub'], /p256\.pub: the same key as .*p256/],
    [['p384'], /p384: tokens are signed by keys of P-256 or Ed25519/],
    [['ed25519', 'rsa'], /rsa: tokens are signed by keys of P-256 or Ed25519/],
    [['text'], /text: no key or certificate in PEM/],
    [['absent'], /absent: ENOENT/],
  ] as const)
    await t.throwsAsync(SigningKeys.load(names.map(at)), { code: 'ERR_FACTORY_SETUP', message });
});

test('the public halves are told in their order, with their thumbprints and nothing private', async (t) => {
  const at = await keyFiles(t);
  const { keys } = (await SigningKeys.load([at('ed25519'), at('p256')])).jwks;
  t.like(keys, {
    0: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' },
    1: { kty: 'EC', crv: 'P-256' },
  });
  for (const key of keys) {
    t.is(key.kid, await calculateJwkThumbprint(key, 'sha256'));
    t.false('d' in key);
  }
});

test('a rotation, one step after the other, refuses no token', async (t) => {
  const at = await keyFiles(t);
  const warned: string[] = [];
  await copyFile(at('p256'), at('1'));
  await copyFile(at('ed25519'), at('2'));
  using files = await KeyFiles.open([at('1'), at('2')], (line) => warned.push(line));
  const before = await signToken(token, files.current);
  await copyFile(at('text'), at('1.new'));
  await rename(at('1.new'), at('1'));
  await files.reload();
  t.is((await verifyToken(before, files.current, now)).id, token.id);
  t.regex(warned.at(-1) ?? '', /^keys of tokens stay as they were: .*1: no key or certificate in PEM$/);

  await copyFile(at('p256.pub'), at('2.new'));
  await copyFile(at('ed25519'), at('1.new'));
  await rename(at('2.new'), at('2'));
  await rename(at('1.new'), at('1'));
  await files.reload();
  t.is((await verifyToken(before, files.current, now)).id, token.id);
  const after = await signToken(token, files.current);
  t.not(files.current.signer.kid, JSON.parse(Buffer.from(before.split('.')[0]!, 'base64url').toString()).kid);
  t.is((await verifyToken(after, files.current, now)).id, token.id);
});

test('a key that is replaced is noticed', async (t) => {
  const at = await keyFiles(t);
  await copyFile(at('p256'), at('1'));
  const warned = Promise.withResolvers<string>();
  using files = await KeyFiles.open([at('1')], warned.resolve);
  await writeFile(at('1.new'), 'no key');
  await rename(at('1.new'), at('1'));
  t.regex(await warned.promise, /1: no key or certificate in PEM/);
  t.is(files.current.signer.algorithm, 'ES256');
});

test('without files there is a key that ends with the process, and a warning', async (t) => {
  const warned: string[] = [];
  using files = await KeyFiles.open([], (line) => warned.push(line));
  const signed = await signToken(token, files.current);
  t.is((await verifyToken(signed, files.current, now)).id, token.id);
  t.regex(warned.join('\n'), /keyPaths is empty/);
  using other = await KeyFiles.open([], () => {});
  await t.throwsAsync(verifyToken(signed, other.current, now), { code: 'ERR_FACTORY_CREDENTIAL' });
});
