import { readdir, writeFile } from 'node:fs/promises';

import test from 'ava';

import { Osconfig } from '@nodecore/api';
import { parse } from '@nodecore/config';
import * as pki from '@nodecore/pki';

import { osctl } from './command-line.ts';
import { generate, mode, text } from './gen-directory.ts';

const kindsOf = (configuration: string): string[] =>
  Array.from(configuration.matchAll(/^kind: (\w+)$/gmu), ([, kind = '']) => kind);

test('config writes valid configurations and a client config that belong together', async (t) => {
  const args = [
    'gen',
    'config',
    'home',
    'https://[fd00::1]:6443',
    '-o',
    'home',
    '--additional-sans',
    'node.example',
  ];
  const made = await osctl([...args, '--new-secrets']);
  t.is(made.code, 0, made.error);
  using configuration = parse(await text('home/controlplane.yaml'));
  const { machine } = configuration;
  t.like(configuration.get('OrchClusterConfig'), { clusterName: 'home' });
  t.is(configuration.get('OrchClusterConfig')?.endpoint.href, 'https://[fd00::1]:6443/');
  t.deepEqual(machine?.certSANs, ['node.example']);
  t.deepEqual(
    configuration.get('FilesystemTrimConfig'),
    { intervalMs: 168 * 3_600_000 },
    'new nodes trim once a week',
  );
  t.deepEqual([...new Set(configuration.warnings.map(({ code }) => code))], ['kind.no_effect']);
  const networks = configuration.get('OrchNetworkConfig');
  t.deepEqual(
    networks?.podSubnets.map(({ address, bits }) => `${address.family} ${bits}`),
    ['ipv6 56'],
    'networks are of the family of the endpoint',
  );
  const context = Osconfig.parse(await text('home/osconfig'), 'osconfig').context();
  t.like(context, { name: 'home', endpoints: ['fd00::1'], ca: machine?.ca.crt });
  const client = pki.readCertificate(context.crt ?? '');
  t.is(client.subject, 'O=os:admin');
  t.true(client.verify(pki.readCertificate(machine?.ca.crt ?? '').publicKey));
  for (const file of ['controlplane.yaml', 'worker.yaml', 'osconfig'])
    t.is(await mode(`home/${file}`), 0o600, file);
});

test('configurations are generated in the order of their documents, for each type what it needs', async (t) => {
  const controlplane = kindsOf(await generate('-t', 'controlplane'));
  t.deepEqual(controlplane, [
    'DiscoveryIdentityConfig',
    'ResolverConfig',
    'VolumeConfig',
    'FilesystemTrimConfig',
    'SecurityProfileConfig',
    'HostnameConfig',
    'OrchClusterConfig',
    'OrchNodeConfig',
    'OrchKubeletConfig',
    'OrchNetworkConfig',
    'OrchAPIServerCAConfig',
    'OrchBalancerConfig',
    'OrchAggregatorCAConfig',
    'OrchAdmissionControlConfig',
    'OrchAuditPolicyConfig',
    'OrchAuthenticationConfig',
    'OrchAuthorizerConfig',
    'OrchAuthorizerConfig',
    'OrchKvstoreEncryptionConfig',
    'OrchServiceAccountConfig',
    'OrchAPIServerConfig',
    'OrchControllerManagerConfig',
    'OrchSchedulerConfig',
    'OrchProxyConfig',
    'OrchFlannelCNIConfig',
    'OrchCoreDNSConfig',
  ]);
  const worker = await generate('-t', 'worker');
  t.deepEqual(kindsOf(worker), controlplane.slice(0, 12));
  using parsed = parse(worker);
  t.is(parsed.machine?.type, 'worker');
  t.is(parsed.machine?.cluster.kvstore, undefined);
  t.is(
    parsed.get('OrchAPIServerCAConfig')?.issuingCA,
    undefined,
    'the key of the orchestrator stays on the control plane',
  );
  t.is(parsed.get('OrchAPIServerCAConfig')?.acceptedCAs?.length, 1);
});

test('flags put their documents in their places', async (t) => {
  const line =
    '-t controlplane --install-disk /dev/sda --install-image factory.example/i:v1 --with-mesh --allow-scheduling ' +
    '--registry-mirror docker.io=https://mirror.example --registry-mirror a.example=http://b.example ' +
    '--discovery-endpoint https://discovery.example --dns-domain cluster.example --orch-version 1.34.2 ' +
    '--additional-sans api.example';
  const made = await generate(...line.split(' '));
  t.deepEqual(kindsOf(made).slice(0, 12), [
    'DiscoveryServiceConfig',
    'DiscoveryIdentityConfig',
    'UnattendedInstallConfig',
    'ResolverConfig',
    'VolumeConfig',
    'FilesystemTrimConfig',
    'SecurityProfileConfig',
    'RegistryMirrorConfig',
    'RegistryMirrorConfig',
    'HostnameConfig',
    'MeshConfig',
    'OrchClusterConfig',
  ]);
  using parsed = parse(made);
  t.false(parsed.get('UnattendedInstallConfig')?.provisioning.wipe);
  t.deepEqual(
    parsed.all('RegistryMirrorConfig').map(({ name }) => name),
    ['a.example', 'docker.io'],
  );
  t.is(parsed.get('OrchNodeConfig')?.taints, undefined);
  t.is(parsed.get('OrchNetworkConfig')?.dnsDomain, 'cluster.example');
  t.true(made.includes('/kube-apiserver:v1.34.2'));
  t.deepEqual(parsed.get('OrchAPIServerConfig')?.certExtraSANs, ['api.example']);
});

test('for every version the files are valid, and the same secrets make the same text', async (t) => {
  for (let minor = 0; minor <= 14; minor += 1) {
    for (const type of ['controlplane', 'worker'] as const) {
      const args = [
        '-t',
        type,
        '--os-version',
        `v1.${minor}`,
        '--registry-mirror',
        'a.example=https://b.example',
      ];
      const made = await generate(...args);
      t.is(await generate(...args), made, `v1.${minor} ${type}`);
      using parsed = parse(made);
      t.is(parsed.machine?.type, type);
      t.is(kindsOf(made).includes('HostnameConfig'), minor >= 12, `v1.${minor}`);
      t.is(kindsOf(made).includes('OrchClusterConfig'), minor >= 14, `v1.${minor}`);
      const hasName = minor >= 8 || type === 'controlplane';
      t.is(
        parsed.get('OrchClusterConfig') !== undefined,
        hasName,
        `v1.${minor}: what it says counts the same`,
      );
      const id = parsed.machine?.cluster.id ?? parsed.get('DiscoveryIdentityConfig')?.clusterID;
      t.true((await text('cluster-secrets.yaml')).includes(`id: ${id}\n`), 'the name of the cluster stays');
    }
  }
});

test('a place where nothing can be written ends gen with its name, and nothing is left', async (t) => {
  for (const [line, path] of [
    ['gen secrets -o /proc/nothing', '/proc/nothing'],
    ['gen secrets -o /proc/nothing/below', '/proc/nothing/below'],
    ['gen secureboot uki -o /proc/nothing', '/proc/nothing'],
    ['gen config told https://a -o /proc/nothing', '/proc/nothing'],
    ['gen key --name /proc/nothing', '/proc/nothing.key'],
  ] as const) {
    const { code, error } = await osctl(line.split(' '));
    t.deepEqual(
      { code, error },
      { code: 1, error: `osctl: ${path}: ENOENT; what was written before is whole\n` },
      line,
    );
  }
});

test('a node that begins the kvstore by itself is generated where it is asked for, and only there', async (t) => {
  const controlplane = await generate('-t', 'controlplane');
  const made = await generate('-t', 'init', '--with-init-node');
  t.is(made, controlplane.replace('type: controlplane', 'type: init'));
  using configuration = parse(made);
  t.true(configuration.machine?.beginsKvstore);
  const refused = await t.throwsAsync(generate('-t', 'init'));
  t.regex(refused.message, /output type "init" is none of controlplane, worker, osconfig/u);
  const line = ['gen', 'config', 'home', 'https://a:6443', '-o', 'with-init', '--with-init-node'];
  const all = await osctl([...line, '--with-secrets', 'cluster-secrets.yaml']);
  t.is(all.code, 0, all.error);
  t.deepEqual((await readdir('with-init')).toSorted(), [
    'controlplane.yaml',
    'init.yaml',
    'osconfig',
    'worker.yaml',
  ]);
});

test('examples of all other documents stand behind a configuration as comments, each of which is one', async (t) => {
  const plain = await generate('-t', 'worker');
  const made = await generate('-t', 'worker', '--with-examples');
  t.true(made.startsWith(plain));
  t.is(await generate('-t', 'worker', '--with-examples=false'), plain);
  parse(made)[Symbol.dispose]();
  const [, ...examples] = made
    .slice(plain.length)
    .split('\n')
    .map((line) => line.replace(/^# ?/u, ''))
    .join('\n')
    .split(/^---$/mu);
  const used = kindsOf(plain);
  t.true(examples.length > 60, `${examples.length}`);
  for (const example of examples) {
    t.notThrows(() => parse(example)[Symbol.dispose](), example);
    t.false(
      kindsOf(example).some((kind) => used.includes(kind)),
      example,
    );
  }
  t.is(
    await generate('-t', 'worker', '--version', 'v1alpha1', '--with-docs=false'),
    await generate('-t', 'worker', '--with-docs=false'),
  );
  const refused = await t.throwsAsync(generate('-t', 'worker', '--version', 'v2'));
  t.regex(refused.message, /v1alpha1/u);
});

test('machineconfig gen is gen config', async (t) => {
  const line = ['machineconfig', 'gen', 'home', 'https://10.0.0.1:6443', '-t', 'worker', '-o', '-'];
  const made = await generate('-t', 'worker');
  t.is((await osctl([...line, '--with-secrets', 'cluster-secrets.yaml'])).out, made);
});

test('patches change all, then the control plane or the workers, and the one that breaks it is named', async (t) => {
  const all = 'apiVersion: v1alpha1\nkind: ZswapConfig\nmaxPoolPercent: 10';
  const patches = ['--config-patch', all, '--config-patch-worker', 'kind: ZswapConfig\nmaxPoolPercent: 20'];
  using controlplane = parse(await generate('-t', 'controlplane', ...patches));
  using worker = parse(await generate('-t', 'worker', ...patches));
  t.is(controlplane.get('ZswapConfig')?.maxPoolPercent, 10);
  t.is(worker.get('ZswapConfig')?.maxPoolPercent, 20);
  await writeFile('good.yaml', 'kind: HostnameConfig\nauto: off');
  await writeFile('bad.yaml', 'kind: HostnameConfig\nauto: never');
  const error = await t.throwsAsync(
    generate('-t', 'worker', '--config-patch', '@good.yaml', '--config-patch', '@bad.yaml', ...patches),
  );
  t.regex(error.message, /worker\.yaml is not valid any more after bad\.yaml/u);
});

test('one output type goes to standard output', async (t) => {
  const { code, out } = await osctl([
    'gen',
    'config',
    'c',
    'https://a',
    '-t',
    'osconfig',
    '-o',
    '-',
    '--new-secrets',
  ]);
  t.is(code, 0);
  t.deepEqual(Osconfig.parse(out, 'out').names, ['c']);
  t.is((await osctl(['gen', 'config', 'c', 'https://a', '-o', '-', '--new-secrets'])).code, 2);
});

test('wrong input is a usage error that says what is right', async (t) => {
  const cases: [string, RegExp][] = [
    ['gen config c http://a', /https URL/u],
    ['gen config c 10.0.0.1', /try https:\/\/10\.0\.0\.1:6443/u],
    ['gen config c https://a -t moon', /none of controlplane, worker, osconfig/u],
    ['gen config c https://a --with-mesh', /--with-mesh needs --discovery-endpoint/u],
    ['gen config c https://a --registry-mirror x', /<registry>=<url>/u],
    ['gen config c https://a --orch-version new', /a version such as v1\.35\.0/u],
    [
      'gen config c https://a --with-secrets nowhere.yaml',
      /nowhere.yaml: there is no such file; correct --with-secrets/u,
    ],
    ['gen ca --organization ../x', /must not be empty or hold a slash/u],
    ['gen ca --organization x --hours 0', /whole number of hours/u],
    ['gen csr --key nowhere.key --ip 10.0.0.1', /nowhere.key: there is no such file/u],
    ['gen csr --key nowhere.key --ip home', /no IP address/u],
    ['gen ca', /--organization/u],
  ];
  for (const [line, message] of cases) {
    const { code, error } = await osctl(line.split(' '));
    t.is(code, 2, line);
    t.regex(error, message, line);
  }
});
