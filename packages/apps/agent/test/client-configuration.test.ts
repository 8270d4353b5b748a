import { ApplyMode } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';

import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';
import { workerText } from './signing-node.ts';

async function node(t: ExecutionContext, text = rootDocument(ca)) {
  const parts = await apiNode(t);
  await parts.insecure().applyConfiguration({ data: Buffer.from(text), mode: ApplyMode.AUTO });
  const key = await pki.generateKey();
  return { ...parts, key, csr: await pki.createCSR(key, { roles: ['os:admin'], names: ['localhost'] }) };
}

test('a control plane issues a certificate with the roles that are asked for, whatever the request says', async (t) => {
  const { as, csr, lines } = await node(t);
  const admin = await as(['os:admin']);
  const before = Date.now();
  const answer = await admin.generateClientConfiguration({
    roles: ['os:reader', 'os:reader', 'os:capture'],
    ttlMillis: 3_600_000n,
    csr,
  });
  t.is(answer.ca, ca.crt);
  const certificate = pki.readCertificate(answer.crt);
  t.deepEqual(certificate.toLegacyObject().subject.O as unknown, ['os:reader', 'os:capture']);
  t.is(certificate.subjectAltName, undefined);
  const leftMs = certificate.validToDate.getTime() - before;
  t.true(leftMs > 3_500_000 && leftMs < 3_700_000, String(leftMs));
  const notes = lines.filter(
    (line) => line.includes('"action":"issue-client"') && line.includes('"outcome":"done"'),
  );
  t.is(notes.length, 1);
  t.true(notes[0]?.includes('"lifetimeMs":3600000'), notes[0]);
});

test('what is wrong with a request names its field', async (t) => {
  const { as, csr } = await node(t);
  const admin = await as(['os:admin']);
  for (const [request, field] of [
    [{ roles: [], csr }, 'roles'],
    [{ roles: ['os:root'], csr }, 'roles'],
    [{ roles: ['os:reader'], csr, ttlMillis: 2n ** 60n }, 'ttl_millis'],
    [{ roles: ['os:reader'], csr: 'nonsense' }, 'csr'],
  ] as const)
    await t.throwsAsync(admin.generateClientConfiguration({ ...request, roles: [...request.roles] }), {
      code: 'ERR_API_INVALID',
      message: new RegExp(`${field}: `, 'u'),
    });
});

test('a worker issues none', async (t) => {
  const { as, csr } = await node(t, workerText(ca));
  const admin = await as(['os:admin']);
  await t.throwsAsync(admin.generateClientConfiguration({ roles: ['os:reader'], csr }), {
    message: /only a control plane/u,
  });
});
