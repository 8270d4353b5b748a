import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test from 'ava';
import { parse as parseYaml, parseAllDocuments } from 'yaml';

import { Osconfig } from '@nodecore/api';
import { loadSecureBootKeys } from '@nodecore/efi';
import * as pki from '@nodecore/pki';
import { parse } from '@nodecore/config';
import { osctl } from './command-line.ts';

// The files of gen go to the working directory; this test file has a process of its own.
const directory = mkdtempSync(join(tmpdir(), 'osctl-gen-'));
const before = process.cwd();
process.chdir(directory);
test.after.always(async () => {
  process.chdir(before);
  await rm(directory, { recursive: true });
});

const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64');
const text = async (path: string): Promise<string> => await readFile(path, 'utf8');

test('ca, key, csr and crt together make a client certificate with its roles', async (t) => {
  const steps = [
    'gen ca --organization lab',
    'gen key --name alice',
    'gen csr --key alice.key --ip 10.0.0.9 --roles os:reader,os:operator',
    'gen crt --name alice --ca lab --csr alice.csr --hours 48',
  ];
  for (const step of steps) t.is((await osctl(step.split(' '))).code, 0, step);
  const ca = pki.readCertificate(await text('lab.crt'));
  const certificate = pki.readCertificate(await text('alice.crt'));
  t.is(certificate.subject, 'O=os:reader\nO=os:operator');
  t.true(certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
  t.is((await text('lab.sha256')).trim(), pki.fingerprint(ca));
  t.is(await mode('lab.key'), 0o600);
  t.is(await mode('alice.key'), 0o600);
  const hours = (certificate.validToDate.getTime() - Date.now()) / 3_600_000;
  t.true(hours > 47 && hours <= 48, String(hours));
});

const json = async (line: string): Promise<unknown> => JSON.parse((await osctl(line.split(' '))).out);

test('programs get the files that were written, and which of them are secret', async (t) => {
  t.deepEqual(await json('gen ca --organization told -o json'), [
    { file: 'told.crt', secret: false },
    { file: 'told.sha256', secret: false },
    { file: 'told.key', secret: true },
  ]);
  t.deepEqual(await json('gen secrets -o told.yaml --json'), [{ file: 'told.yaml', secret: true }]);
  t.deepEqual(await json('gen secureboot pcr -o told --json'), [
    { file: 'told/pcr-signing-key.pem', secret: true },
  ]);
  const printed = 'gen config told https://a -t osconfig -o - --json';
  t.is((await osctl(printed.split(' '))).code, 2);
});

test('nothing is replaced without --force, and then none of the files', async (t) => {
  await writeFile('kept.key', 'old');
  const refused = await osctl(['gen', 'ca', '--organization', 'kept']);
  t.is(refused.code, 2);
  t.is(refused.error, 'osctl: kept.key exists; give --force to replace it\n');
  await t.throwsAsync(stat('kept.crt'), { code: 'ENOENT' });
  t.is(await text('kept.key'), 'old');
  t.is((await osctl(['gen', 'ca', '--organization', 'kept', '-f'])).code, 0);
  t.not(await text('kept.key'), 'old');
  t.is((await osctl(['gen', '-f', 'ca', '--organization', 'kept'])).code, 0);
});

test('a keypair names its address', async (t) => {
  t.is((await osctl(['gen', 'keypair', '--organization', 'pair', '--ip', '192.0.2.7'])).code, 0);
  t.is(pki.readCertificate(await text('pair.crt')).checkIP('192.0.2.7'), '192.0.2.7');
  t.is((await osctl(['gen', 'keypair', '--organization', 'pair2', '--ip', 'nowhere'])).code, 2);
});

const prepared = (async (): Promise<void> => {
  await osctl(['gen', 'secrets', '-o', 'cluster-secrets.yaml']);
})();

/** One output, as a text. */
async function generate(...args: readonly string[]): Promise<string> {
  await prepared;
  const line = [
    'gen',
    'config',
    'home',
    'https://10.0.0.1:6443',
    '--with-secrets',
    'cluster-secrets.yaml',
    '-o',
    '-',
  ];
  const { code, out, error } = await osctl([...line, ...args]);
  if (code !== 0) throw new Error(error);
  return out;
}

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

test('a cluster that is there gets no other secrets by an oversight', async (t) => {
  await prepared;
  await mkdir('there', { recursive: true });
  await writeFile('there/secrets.yaml', 'x');
  const line = ['gen', 'config', 'c', 'https://a:6443', '-t', 'osconfig', '-o', 'there/'];
  const refused = await osctl(line);
  t.is(refused.code, 2);
  t.regex(
    refused.error,
    /there\/secrets\.yaml is there: give --with-secrets there\/secrets\.yaml, or --new-secrets/u,
  );
  t.is((await osctl([...line, '--with-secrets', 'cluster-secrets.yaml'])).code, 0);
  await mkdir('former', { recursive: true });
  await writeFile('former/controlplane.yaml', 'x');
  const again = await osctl(['gen', 'config', 'c', 'https://a:6443', '-o', 'former', '--force']);
  t.is(again.code, 2);
  t.regex(again.error, /would get other keys/u);
  t.is(await text('former/controlplane.yaml'), 'x');
});

test('secrets of a configuration are those that it was made from, and --fill makes what it lacks', async (t) => {
  await writeFile('whole.yaml', await generate('-t', 'controlplane'));
  const line = ['gen', 'secrets', '--from-controlplane-config'];
  t.is((await osctl([...line, 'whole.yaml', '-o', 'extracted.yaml'])).code, 0);
  t.is(await text('extracted.yaml'), await text('cluster-secrets.yaml'));
  t.is(await mode('extracted.yaml'), 0o600);
  const without = 'kind: OrchAggregatorCAConfig\n$patch: delete';
  await writeFile('older.yaml', await generate('-t', 'controlplane', '--config-patch', without));
  const lacking = await osctl([...line, 'older.yaml', '-o', 'filled.yaml']);
  t.is(lacking.code, 1);
  t.is(
    lacking.error,
    'osctl: older.yaml: certs.orchaggregator is missing; --fill makes anew what is missing\n',
  );
  t.is((await osctl([...line, 'older.yaml', '-o', 'filled.yaml', '--fill'])).code, 0);
  const [filled, given] = [await text('filled.yaml'), await text('cluster-secrets.yaml')].map(
    (each) => parseYaml(each) as { cluster: unknown; certs: { os: unknown; orchaggregator: unknown } },
  );
  t.deepEqual(filled?.cluster, given?.cluster);
  t.deepEqual(filled?.certs.os, given?.certs.os);
  t.notDeepEqual(filled?.certs.orchaggregator, given?.certs.orchaggregator);
  t.is((await osctl(['gen', 'secrets', '--fill', '-o', 'no.yaml'])).code, 2);
});

const keyType = (secrets: Record<string, any>): string | undefined =>
  createPrivateKey(Buffer.from(secrets['certs'].orchserviceaccount.key, 'base64')).asymmetricKeyType;

test('secrets follow the version, and a token that is given', async (t) => {
  const make = async (...args: readonly string[]): Promise<Record<string, any>> => {
    const { code, out, error } = await osctl(['gen', 'secrets', '-o', '-', ...args]);
    t.is(code, 0, error);
    return parseYaml(out) as Record<string, any>;
  };
  const token = 'abcdef.0123456789abcdef';
  const old = await make('--os-version', 'v1.2', '-t', token);
  t.is(old['secrets'].bootstraptoken, token);
  t.deepEqual(Object.keys(old['secrets']), ['bootstraptoken', 'aescbcencryptionsecret']);
  t.is(keyType(old), 'ec');
  t.regex(old['cluster'].id, /^[\w-]{43}=$/u);
  const current = await make();
  t.deepEqual(Object.keys(current['secrets']), ['bootstraptoken', 'secretboxencryptionsecret']);
  t.is(keyType(current), 'rsa');
  t.regex(current['trustdinfo'].token, /^[a-z0-9]{6}\.[a-z0-9]{16}$/u);
  const subjects = (name: string): string =>
    new X509Certificate(Buffer.from(current['certs'][name].crt, 'base64')).subject;
  t.deepEqual(['os', 'kvstore', 'orch', 'orchaggregator'].map(subjects), [
    'O=os',
    'O=kvstore',
    'O=kubernetes',
    'CN=front-proxy',
  ]);
  for (const wrong of [
    ['-t', 'ABCDEF.0123456789abcdef'],
    ['--os-version', 'v1.15'],
    ['--os-version', 'new'],
  ])
    t.is((await osctl(['gen', 'secrets', '-o', '-', ...wrong])).code, 2, wrong.join(' '));
});

const writePair = async (name: string, ca: pki.Identity): Promise<void> => {
  await writeFile(`pki/${name}.crt`, ca.crt);
  await writeFile(`pki/${name}.key`, ca.key.bytes);
};

test('the secrets of an orchestrator that others began are taken from its files, all of them', async (t) => {
  await mkdir('pki/etcd', { recursive: true });
  await writePair('ca', await pki.createWebAuthority('kubernetes'));
  await writePair('front-proxy-ca', await pki.createWebAuthority('front'));
  await writePair('etcd/ca', await pki.createCA('etcd'));
  const lacking = await osctl(['gen', 'secrets', '-p', 'pki', '-o', 'pki.yaml']);
  t.is(lacking.code, 2);
  t.regex(lacking.error, /pki\/sa\.key: there is no such file/u);
  const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  await writeFile('pki/sa.key', signing.export({ type: 'sec1', format: 'pem' }));
  t.is((await osctl(['gen', 'secrets', '-p', 'pki', '-o', 'pki.yaml'])).code, 0);
  const made = await osctl([
    'gen',
    'config',
    'c',
    'https://a:6443',
    '-t',
    'controlplane',
    '-o',
    '-',
    '--with-secrets',
    'pki.yaml',
  ]);
  t.is(made.code, 0, made.error);
  using parsed = parse(made.out);
  t.is(parsed.get('OrchAPIServerCAConfig')?.issuingCA?.cert, await text('pki/ca.crt'));
});

test('a secrets file of other programs is read by its names and labels', async (t) => {
  const given = parseYaml(await (await prepared, text('cluster-secrets.yaml'))) as Record<string, any>;
  const { kvstore, orch, orchaggregator, orchserviceaccount, os } = given['certs'];
  const key = Buffer.from(os.key, 'base64').toString().replaceAll('PRIVATE KEY', 'ED25519 PRIVATE KEY');
  const certs = {
    etcd: kvstore,
    k8s: orch,
    k8saggregator: orchaggregator,
    k8sserviceaccount: orchserviceaccount,
    os: { ...os, key: base64(key) },
  };
  await writeFile('foreign.yaml', JSON.stringify({ ...given, certs }));
  const line = ['gen', 'config', 'home', 'https://10.0.0.1:6443', '-t', 'controlplane', '-o', '-'];
  const made = await osctl([...line, '--with-secrets', 'foreign.yaml']);
  t.is(made.out, await generate('-t', 'controlplane'));
});

test('both secrets of encryption are written, each under its provider, the newest first', async (t) => {
  await prepared;
  const given = parseYaml(await text('cluster-secrets.yaml')) as Record<string, any>;
  given['secrets'].aescbcencryptionsecret = base64('a'.repeat(32));
  await writeFile('both.yaml', JSON.stringify(given));
  const line = [
    'gen',
    'config',
    'c',
    'https://a:6443',
    '-t',
    'controlplane',
    '-o',
    '-',
    '--with-secrets',
    'both.yaml',
  ];
  const document = parseAllDocuments((await osctl(line)).out)
    .map((each) => each.toJS() as Record<string, any>)
    .find(({ kind }) => kind === 'OrchKvstoreEncryptionConfig');
  t.deepEqual(document?.['config'].resources[0].providers, [
    { secretbox: { keys: [{ name: 'key2', secret: given['secrets'].secretboxencryptionsecret }] } },
    { aescbc: { keys: [{ name: 'key1', secret: base64('a'.repeat(32)) }] } },
    { identity: {} },
  ]);
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

test('a secrets file that can not be read is refused without a word of it', async (t) => {
  const earlier = 'cluster: {id: MARKER}\nmachine: {token: MARKER, ca: {crt: MARKER, key: MARKER}}';
  for (const content of ['MARKER: [', 'MARKER', 'clusters: {id: MARKER}', earlier]) {
    await writeFile('broken.yaml', content);
    const { code, error } = await osctl(['gen', 'config', 'c', 'https://a', '--with-secrets', 'broken.yaml']);
    t.is(code, 2, content);
    t.false(error.includes('MARKER'), error);
  }
});

test('every part of a secrets file that is missing, unknown or wrong is said before anything is written', async (t) => {
  await prepared;
  const given = parseYaml(await text('cluster-secrets.yaml')) as Record<string, any>;
  const other = await pki.createCA('b');
  given['certs'].os.key = base64(Buffer.from(other.key.bytes));
  given['certs'].MARKER = { key: 'MARKER' };
  given['certs'].orch = { crt: 'MARKER', key: 'MARKER' };
  given['cluster'].secret = 'MARKER';
  delete given['secrets'].bootstraptoken;
  await writeFile('mixed.yaml', JSON.stringify(given));
  const { code, error } = await osctl([
    'gen',
    'config',
    'c',
    'https://a',
    '-o',
    'mixed',
    '--with-secrets',
    'mixed.yaml',
  ]);
  t.is(code, 1);
  t.is(
    error,
    'osctl: mixed.yaml: certs holds a part that is not known; secrets.bootstraptoken is missing; ' +
      'cluster.secret must be 32 bytes in base64; certs.orch holds what is no PEM in base64; ' +
      'certs.os has a key that does not belong to the certificate\n',
  );
  await t.throwsAsync(stat('mixed'), { code: 'ENOENT' });
});

test('gen secureboot makes keys that fit together, and replaces none without --force', async (t) => {
  for (const name of ['uki', 'pcr', 'database']) {
    const made = await osctl(['gen', 'secureboot', name]);
    t.is(made.code, 0, made.error);
  }
  const keys = await loadSecureBootKeys('_out');
  const certificate = new X509Certificate(keys.signer.certificate);
  t.is(certificate.subject, 'CN=Test UKI Signing Key');
  t.deepEqual(await readFile('_out/uki-signing-cert.der'), keys.signer.certificate);
  t.is(keys.pcrKey?.asymmetricKeyDetails?.modulusLength, 2048);
  t.deepEqual(
    [await mode('_out/uki-signing-key.pem'), await mode('_out/pcr-signing-key.pem')],
    [0o600, 0o600],
  );
  t.deepEqual([await mode('_out/uki-signing-cert.pem'), await mode('_out/db.auth')], [0o644, 0o644]);
  for (const [name, file] of [
    ['uki', 'uki-signing-cert.pem'],
    ['pcr', 'pcr-signing-key.pem'],
    ['database', 'PK.auth'],
  ]) {
    const refused = await osctl(['gen', 'secureboot', name ?? '']);
    t.is(refused.code, 2);
    t.is(refused.error, `osctl: _out/${file} exists; give --force to replace it\n`);
  }
  t.is((await osctl(['gen', 'secureboot', 'pcr', '--force'])).code, 0);
});

test('gen secureboot database takes another certificate for images than the one that owns the machine', async (t) => {
  for (const out of ['owner', 'images']) {
    t.is((await osctl(['gen', 'secureboot', 'uki', '-o', out, '--common-name', out])).code, 0);
  }
  const flags = [
    '--enrolled-certificate',
    'images/uki-signing-cert.pem',
    '--signing-certificate',
    'owner/uki-signing-cert.pem',
  ];
  const made = await osctl([
    'gen',
    'secureboot',
    'database',
    ...flags,
    '--signing-key',
    'owner/uki-signing-key.pem',
    '-o',
    'images',
  ]);
  t.is(made.code, 0, made.error);
  t.is(new X509Certificate((await loadSecureBootKeys('images')).signer.certificate).subject, 'CN=images');
  const wrong = await osctl([
    'gen',
    'secureboot',
    'database',
    ...flags,
    '--signing-key',
    'images/uki-signing-key.pem',
    '-o',
    'wrong',
  ]);
  t.is(wrong.code, 2);
  t.regex(wrong.error, /--signing-key: the key does not belong to the certificate/);
});
