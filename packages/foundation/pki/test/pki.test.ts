import { createPrivateKey, X509Certificate } from 'node:crypto';

import test from 'ava';

import { Secret } from '@nodecore/sys';
import {
  bareRequestKey,
  createCA,
  createCSR,
  createMaintenanceIdentity,
  fingerprint,
  generateKey,
  issueClient,
  issueServer,
  matchesFingerprint,
  readCertificate,
  signCSR,
  signNodeCSR,
  signServerCSR,
} from '../src/index.ts';
import { x509 } from '../src/library.ts';

const day = 24 * 3_600_000;

test('an authority is valid for ten years and carries its organization', async (t) => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const ca = await createCA('nodecore', { nowMs: now });
  const certificate = readCertificate(ca.crt);
  t.true(certificate.ca);
  t.is(certificate.subject, 'O=nodecore');
  t.is(certificate.validToDate.getTime(), now + 3650 * day);
  t.true(certificate.verify(certificate.publicKey));
});

test('a signed request keeps its roles, one organization each, and its names', async (t) => {
  const ca = await createCA('nodecore');
  const key = await generateKey();
  const request = await createCSR(key, {
    roles: ['os:admin', 'os:reader'],
    names: ['10.0.0.1', 'node.example'],
  });
  const certificate = readCertificate(await signCSR(ca, request));
  t.is(certificate.subject, 'O=os:admin\nO=os:reader');
  t.is(certificate.subjectAltName, 'IP Address:10.0.0.1, DNS:node.example');
  t.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  t.true(certificate.verify(readCertificate(ca.crt).publicKey));
  t.true(certificate.checkIssued(readCertificate(ca.crt)));
  t.false(certificate.ca);
});

test('a server certificate is only for servers, a client certificate only for clients', async (t) => {
  const ca = await createCA('nodecore');
  const server = readCertificate((await issueServer(ca, { names: ['::1', 'localhost'] })).crt);
  const client = readCertificate((await issueClient(ca, { roles: ['os:reader'] })).crt);
  t.deepEqual(server.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  t.deepEqual(client.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  t.is(server.checkHost('localhost'), 'localhost');
  t.is(server.checkIP('::1'), '::1');
});

test('a request whose signature is wrong is refused', async (t) => {
  const ca = await createCA('nodecore');
  const pem = await createCSR(await generateKey(), { roles: ['os:reader'] });
  const der = Buffer.from(pem.replaceAll(/-----.*-----|\s/gu, ''), 'base64');
  der.writeUInt8(der.readUInt8(der.byteLength - 40) ^ 1, der.byteLength - 40);
  const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  await t.throwsAsync(signCSR(ca, forged), { code: 'ERR_PKI_REQUEST' });
  await t.throwsAsync(signCSR(ca, 'nonsense'), { code: 'ERR_PKI_REQUEST' });
});

test('only an authority with its own key issues certificates', async (t) => {
  const ca = await createCA('nodecore');
  const other = await createCA('other');
  const leaf = await issueClient(ca, { roles: ['os:admin'] });
  const request = await createCSR(leaf.key);
  await t.throwsAsync(signCSR(leaf, request), { code: 'ERR_PKI_AUTHORITY' });
  await t.throwsAsync(signCSR({ crt: ca.crt, key: other.key }, request), { code: 'ERR_PKI_AUTHORITY' });
  await t.throwsAsync(signCSR({ crt: ca.crt, key: Secret.copy(Buffer.from('x')) }, request), {
    code: 'ERR_PKI_KEY',
  });
});

test('a fingerprint is of the key: it survives a renewal and is read in every usual form', async (t) => {
  const ca = await createCA('nodecore');
  const renewed = await createCA('nodecore', { key: ca.key, lifetimeMs: day });
  t.not(ca.crt, renewed.crt);
  const base64 = fingerprint(ca.crt);
  t.is(base64, fingerprint(new X509Certificate(renewed.crt)));
  const hex = Buffer.from(base64, 'base64').toString('hex');
  for (const form of [base64, hex, hex.toUpperCase(), hex.replaceAll(/(..)(?!$)/gu, '$1:')]) {
    t.true(matchesFingerprint(ca.crt, [form]), form);
  }
  t.false(matchesFingerprint((await createCA('other')).crt, [base64]));
  t.throws(() => matchesFingerprint(ca.crt, ['sha256:zz']), { code: 'ERR_PKI_FINGERPRINT' });
});

test('a maintenance identity is signed by its own key, can sign no other, and says its fingerprint', async (t) => {
  const identity = await createMaintenanceIdentity({ names: ['127.0.0.1', 'node-a'] });
  t.is(identity.fingerprint, fingerprint(identity.crt));
  const certificate = readCertificate(identity.crt);
  t.is(certificate.subject, 'CN=127.0.0.1\nOU=maintenance');
  t.is(certificate.issuer, certificate.subject);
  t.true(certificate.verify(certificate.publicKey));
  t.true(certificate.checkPrivateKey(createPrivateKey(identity.key.bytes)));
  t.is(certificate.subjectAltName, 'IP Address:127.0.0.1, DNS:node-a');
  t.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']); // serverAuth
  t.false(certificate.ca);
  await t.throwsAsync(issueServer(identity, { names: ['127.0.0.1'] }), { code: 'ERR_PKI_AUTHORITY' });
});

test('a private key that is not Ed25519 is refused by name', async (t) => {
  const { generateKeyPairSync } = await import('node:crypto');
  const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  const error = await t.throwsAsync(createCSR(Secret.copy(Buffer.from(pem))), { code: 'ERR_PKI_KEY' });
  t.regex(error.message, /Ed25519 is needed, this is a key for ec/u);
});

test('of the request of a machine nothing but the key gets into its certificate', async (t) => {
  const ca = await createCA('links');
  const key = await generateKey();
  const request = await createCSR(key, { roles: ['os:admin'], names: ['fleet.example'] });
  const uuid = '0bf892f4-54f0-8070-b0f7-e364b8bcfc35';
  const certificate = readCertificate(await signNodeCSR(ca, request, { uuid }));
  t.is(certificate.subject, `CN=node ${uuid}`);
  t.is(certificate.subjectAltName, `URI:urn:uuid:${uuid}`);
  t.true(certificate.checkPrivateKey(createPrivateKey(key.bytes)));
});

test('a server certificate for a request has the names that are given, and nothing of the request but its key', async (t) => {
  const ca = await createCA('os');
  const key = await generateKey();
  const request = await createCSR(key, { roles: ['os:admin'], names: ['fleet.example'] });
  const certificate = readCertificate(
    await signServerCSR(ca, request, { names: ['node.example', '10.0.0.7'] }),
  );
  t.is(certificate.subject, 'CN=node.example');
  t.is(certificate.subjectAltName, 'DNS:node.example, IP Address:10.0.0.7');
  t.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  t.true(certificate.checkPrivateKey(createPrivateKey(key.bytes)));
});

test('a bare request is known by its key; one that asks for more is refused', async (t) => {
  const ca = await createCA('os');
  const key = await generateKey();
  const bare = await createCSR(key);
  t.is(await bareRequestKey(bare), fingerprint(await signServerCSR(ca, bare, { names: ['node'] })));
  for (const more of [{ roles: ['os:admin'] }, { names: ['node'] }])
    await t.throwsAsync(bareRequestKey(await createCSR(key, more)), { code: 'ERR_PKI_REQUEST' });
  const { Pkcs10CertificateRequestGenerator } = await x509();
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const other = await Pkcs10CertificateRequestGenerator.create({ keys, signingAlgorithm });
  const error = await t.throwsAsync(bareRequestKey(other.toString('pem')), { code: 'ERR_PKI_REQUEST' });
  t.regex(error.message, /must be of Ed25519/u);
});
