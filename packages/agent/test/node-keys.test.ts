import { parse } from '@nodecore/config';
import { pki } from '@nodecore/api';
import test from 'ava';

import { NodeKeys, rootsOf } from '../src/controllers/node-keys.ts';
import { NodeIdentity } from '../src/server/node-identity.ts';

async function trusting(...names: readonly string[]): Promise<string> {
  const roots = await Promise.all(names.map(async (name) => (await authorityOf(name)).crt));
  return roots
    .map(
      (crt, index) =>
        `apiVersion: v1alpha1\nkind: TrustedRootsConfig\nname: ${names[index]}\ncertificates: |\n` +
        crt.replaceAll(/^/gm, '  '),
    )
    .join('\n---\n');
}

const authorities = new Map<string, ReturnType<typeof pki.createCA>>();

function authorityOf(name: string): ReturnType<typeof pki.createCA> {
  const authority = authorities.get(name) ?? pki.createCA(name);
  authorities.set(name, authority);
  return authority;
}

test('a key server of a former configuration is still trusted, each authority once', async (t) => {
  using active = parse(await trusting('new', 'both'));
  using former = parse(await trusting('old', 'both'));
  using keys = new NodeKeys(new NodeIdentity());
  keys.trust(rootsOf(active, former));
  const roots = keys.sources().kms?.roots ?? [];
  t.is(roots.length, 3);
  for (const pem of [...rootsOf(active), ...rootsOf(former)]) t.true(roots.includes(pem));
  keys.trust(rootsOf(active));
  t.deepEqual(keys.sources().kms?.roots, rootsOf(active));
});
