import { createPrivateKey, X509Certificate } from 'node:crypto';

import test from 'ava';

import { createWebAuthority, issueWebServer } from '../src/index.ts';

test('a server for browsers has P-256, its names, and a chain that ends at its authority', async (t) => {
  const authority = await createWebAuthority('fleet');
  const server = await issueWebServer(authority, { names: ['fleet.example', '10.0.0.1'] });
  t.teardown(() => {
    authority.key[Symbol.dispose]();
    server.key[Symbol.dispose]();
  });
  const issuer = new X509Certificate(authority.crt);
  const leaf = new X509Certificate(server.crt);
  t.true(server.crt.endsWith(authority.crt));
  t.true(issuer.ca);
  t.false(leaf.ca);
  t.true(leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey));
  t.truthy(leaf.checkHost('fleet.example'));
  t.truthy(leaf.checkIP('10.0.0.1'));
  t.is(createPrivateKey(server.key.bytes).asymmetricKeyDetails?.namedCurve, 'prime256v1');
  t.true(leaf.checkPrivateKey(createPrivateKey(server.key.bytes)));
});
