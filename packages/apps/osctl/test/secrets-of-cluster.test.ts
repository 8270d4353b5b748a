import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { parse, stringify } from 'yaml';

import { currentContract as contract } from '../src/gen/contract.ts';
import { createSecrets } from '../src/gen/secrets.ts';
import { SecretsOfCluster } from '../src/rotate-ca/secrets-of-cluster.ts';

test('a new authority of the orchestrator is where the file is read, whichever names it has', async (t) => {
  const path = join(await temporaryDirectory(t), 'secrets.yaml');
  const [mine, other] = await Promise.all([createSecrets({ contract }), createSecrets({ contract })]);
  const { orch, ...certs } = mine.certs;
  for (const names of [{ orch }, { k8s: orch }, { orch, k8s: other.certs.orch }]) {
    await writeFile(path, stringify({ ...mine, certs: { ...certs, ...names } }));
    const next = { crt: 'new certificate', key: 'new key' };
    const secrets = await SecretsOfCluster.read(path);
    secrets.requireOneOf('orch', [Buffer.from(orch.crt, 'base64').toString()]);
    await secrets.replace({ orch: next });
    const written = parse(await readFile(path, 'utf8')).certs;
    const expected = Buffer.from(next.crt).toString('base64');
    t.is((written.orch ?? written.k8s).crt, expected, Object.keys(names).join(' '));
    if ('orch' in names && 'k8s' in names) t.is(written.k8s.crt, names.k8s.crt);
  }
});
