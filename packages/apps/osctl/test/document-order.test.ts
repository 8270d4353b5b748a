import { readFile } from 'node:fs/promises';

import { makePlan, readDevRequest } from '@nodecore/clusters';
import type { Patch } from '@nodecore/config';
import test from 'ava';
import { parseAllDocuments } from 'yaml';

import { devFlags } from '../../../lab/clusters/test/requests.ts';
import { configurationOf, type Patches } from '../src/cluster/documents.ts';
import { loginDocument } from '../src/cluster/factory-login.ts';
import { wireguardDocuments } from '../src/cluster/wireguard.ts';
import { createNodeSecrets } from '../src/gen/secrets.ts';

type Head = { readonly kind?: string; readonly name?: string };

/** Something that a user adds. */
function patch(name: string): readonly Patch[] {
  return [
    {
      text: `apiVersion: v1alpha1\nkind: RegistryTLSConfig\nname: ${name}\ninsecureSkipVerify: true\n`,
    },
  ];
}

test('documents of a node come in an order that is a contract, with the user’s patches over ours and the node’s own over all', async (t) => {
  const request = {
    ...readDevRequest({
      ...devFlags,
      isoPath: '/a.iso',
      installImage: 'installers.example/metal-installer:v1.14.0',
      withFirewall: 'block',
      useVip: true,
      wireguardCidr: '10.9.0.0/24',
      registryMirror: ['docker.io=https://one.example'],
      registryInsecureSkipVerify: ['two.example'],
      imageCachePath: '/cache',
      discoveryEndpoint: 'https://d.example',
      withMesh: true,
      withBgp: true,
      withBootloader: false,
      orchVersion: 'v1.35.0',
      dnsDomain: 'svc.example',
      lbproxyPort: '7446',
      customCniUrl: 'https://x.example/cni.yaml',
      encryptState: true,
      encryptEphemeral: true,
      encryptUserVolumes: true,
      userVolumes: ['data:1GiB:more:1GiB', 'last:1GiB'],
      withJsonLogs: true,
      withDebug: true,
    }),
    factory: 'http://127.0.0.1:8081',
  };
  const plan = makePlan(request, '0'.repeat(32));
  const patches: Patches = {
    login: [loginDocument('reader:pass:word', plan)],
    all: patch('of-all'),
    controlplane: patch('of-controlplanes'),
    worker: patch('of-workers'),
    own: wireguardDocuments(plan),
  };
  const secrets = await createNodeSecrets();
  const heads = plan.nodes.map((node) => {
    const documents = parseAllDocuments(configurationOf(plan, node, secrets, patches));
    const lines = documents.map((document) => {
      const { kind = 'v1alpha1', name = '' } = document.toJS() as Head;
      return `  ${kind} ${name}`.trimEnd();
    });
    return [`${node.type}:`, ...lines].join('\n');
  });
  const golden = new URL('document-order.txt', import.meta.url);
  t.is(`${heads.join('\n')}\n`, await readFile(golden, 'utf8'));
  const [login] = patches.login ?? [];
  t.regex(login ?? '', /name: 10\.5\.0\.1:8081\nusername: reader\npassword: pass:word\n/);
});
