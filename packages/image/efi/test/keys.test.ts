import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import {
  authenticatedVariable,
  certificatePem,
  createSigningIdentity,
  encodeSignatureLists,
  loadSecureBootKeys,
  type SigningIdentity,
} from '../src/index.ts';
import { identities, listOf } from './signing.ts';

const time = new Date('2026-03-04T05:06:07Z');

type Chain = Readonly<
  Record<'PK' | 'KEK' | 'db', { readonly holds: SigningIdentity; readonly by: SigningIdentity }>
>;

async function directoryOf(t: ExecutionContext, signer: SigningIdentity, chain: Chain): Promise<string> {
  const directory = await temporaryDirectory(t);
  const pem = signer.key.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(join(directory, 'uki-signing-key.pem'), pem, { mode: 0o600 });
  await writeFile(join(directory, 'uki-signing-cert.pem'), certificatePem(signer.certificate));
  for (const name of ['PK', 'KEK', 'db'] as const) {
    const { holds, by } = chain[name];
    const value = encodeSignatureLists(listOf(holds));
    await writeFile(join(directory, `${name}.auth`), await authenticatedVariable({ name, value, time }, by));
  }
  return directory;
}

test('a certificate is self-signed, for ten years, and its key signs', async (t) => {
  const notBefore = new Date('2026-01-02T03:04:05Z');
  const { key, certificate } = await createSigningIdentity('Test UKI Signing Key', { notBefore });
  const parsed = new X509Certificate(certificate);
  t.is(parsed.subject, 'CN=Test UKI Signing Key');
  t.is(parsed.issuer, parsed.subject);
  t.true(parsed.verify(parsed.publicKey));
  t.true(parsed.checkPrivateKey(key));
  t.deepEqual([parsed.validFromDate, parsed.validToDate], [notBefore, new Date('2035-12-31T03:04:05Z')]);
  t.is(parsed.publicKey.asymmetricKeyDetails?.modulusLength, 2048);
  t.deepEqual(new X509Certificate(certificatePem(certificate)).raw, certificate);
  await t.throwsAsync(createSigningIdentity(''), { code: 'ERR_EFI_KEY' });
});

test('keys that fit together are loaded', async (t) => {
  const [first, second] = await identities();
  const chain = {
    PK: { holds: first, by: first },
    KEK: { holds: first, by: first },
    db: { holds: second, by: first },
  };
  const directory = await directoryOf(t, second, chain);
  const keys = await loadSecureBootKeys(directory);
  t.deepEqual(keys.signer.certificate, second.certificate);
  t.true(keys.signer.key.equals(second.key));
  t.deepEqual(keys.db, listOf(second));
  t.is(keys.pcrKey, undefined);
  await writeFile(join(directory, 'pcr-signing-key.pem'), first.key.export({ type: 'pkcs8', format: 'pem' }));
  t.true((await loadSecureBootKeys(directory)).pcrKey?.equals(first.key));
});

test('keys that firmware would not enrol, or not start images by, are refused with the file', async (t) => {
  const [a, b] = await identities();
  const good: Chain = { PK: { holds: a, by: a }, KEK: { holds: a, by: a }, db: { holds: a, by: a } };
  const cases: readonly (readonly [Chain, RegExp])[] = [
    [{ ...good, PK: { holds: a, by: b } }, /PK\.auth is not signed by itself/],
    [{ ...good, KEK: { holds: a, by: b } }, /KEK\.auth is not signed by PK/],
    [{ ...good, db: { holds: a, by: b } }, /db\.auth is not signed by KEK/],
    [{ ...good, db: { holds: b, by: a } }, /db\.auth does not hold uki-signing-cert\.pem/],
  ];
  for (const [chain, message] of cases) {
    await t.throwsAsync(loadSecureBootKeys(await directoryOf(t, a, chain)), { code: 'ERR_EFI_KEY', message });
  }
  const directory = await directoryOf(t, a, good);
  const key = join(directory, 'uki-signing-key.pem');
  await writeFile(key, b.key.export({ type: 'pkcs8', format: 'pem' }));
  await t.throwsAsync(loadSecureBootKeys(directory), { code: 'ERR_EFI_KEY', message: /does not belong/ });
  await writeFile(key, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await t.throwsAsync(loadSecureBootKeys(directory), { code: 'ERR_EFI_KEY', message: /no RSA key/ });
  await rm(join(directory, 'KEK.auth'));
  await writeFile(key, a.key.export({ type: 'pkcs8', format: 'pem' }));
  await t.throwsAsync(loadSecureBootKeys(directory), { code: 'ENOENT' });
});
