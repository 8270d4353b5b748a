import { X509Certificate } from 'node:crypto';

import test from 'ava';

import { nodesOf, subjectOf } from '../src/server/identity.ts';
import { authority, nodeIdentity } from '../../../storage/kms/test/certificates.ts';

const uuid = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
const other = '7e6f4a10-9a0c-4a53-8a67-0f8f7f6b1c22';

async function nodes(uris: readonly string[]): Promise<string[]> {
  const { certificate } = await nodeIdentity(await authority(), uris);
  return [...nodesOf(new X509Certificate(certificate))];
}

test('a certificate is for the nodes among its names', async (t) => {
  t.deepEqual(await nodes([`urn:uuid:${uuid}`]), [uuid]);
  t.deepEqual(await nodes([`urn:uuid:${uuid}`, 'https://k.example', `urn:uuid:${other}`]), [uuid, other]);
});

test('other names are for no node', async (t) => {
  t.deepEqual(await nodes([]), []);
  t.deepEqual(
    await nodes([`https://k.example/urn:uuid:${uuid}`, `urn:uuid:${uuid}x`, 'urn:uuid:', uuid]),
    [],
  );
});

test('a name that pretends to be several is one', async (t) => {
  t.deepEqual(await nodes([`https://k.example/, URI:urn:uuid:${uuid}`]), []);
  t.deepEqual(await nodes([`https://k.example/, URI:urn:uuid:${uuid}, x`]), []);
  t.deepEqual(await nodes([`https://k.example/", URI:urn:uuid:${uuid}, "`]), []);
});

test('a name of another kind with the same text is for no node', (t) => {
  t.deepEqual([...nodesOf({ subjectAltName: `DNS:urn:uuid:${uuid}` })], []);
  t.deepEqual([...nodesOf({ subjectAltName: `DNS:"x, URI:urn:uuid:${uuid}, y"` })], []);
  t.deepEqual([...nodesOf({ subjectAltName: `DNS:"x\\", URI:urn:uuid:${uuid}, y"` })], []);
  t.deepEqual([...nodesOf({ subjectAltName: undefined })], []);
});

test('the UUIDs that firmware has when it has none are for no node', async (t) => {
  const nothing = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
  t.deepEqual(await nodes(nothing.map((text) => `urn:uuid:${text}`)), []);
});

test('a subject is one line', (t) => {
  t.is(subjectOf({ subject: 'O=rack 1\nCN=node' }), 'O=rack 1, CN=node');
});
