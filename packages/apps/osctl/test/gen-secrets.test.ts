import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';

import test from 'ava';
import { parseAllDocuments, parse as parseYaml } from 'yaml';

import { parse } from '@nodecore/config';
import * as pki from '@nodecore/pki';

import { osctl } from './command-line.ts';
import { base64, generate, mode, prepared, text } from './gen-directory.ts';

test('a cluster that is there gets no other secrets by an oversight', async (t) => {
  await prepared();
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

/** The configuration of a control plane with the secrets of a file. */
const controlplaneOf = (secrets: string): ReturnType<typeof osctl> =>
  osctl(['gen', 'config', 'c', 'https://a:6443', '-t', 'controlplane', '-o', '-', '--with-secrets', secrets]);

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
  const made = await controlplaneOf('pki.yaml');
  t.is(made.code, 0, made.error);
  using parsed = parse(made.out);
  t.is(parsed.get('OrchAPIServerCAConfig')?.issuingCA?.cert, await text('pki/ca.crt'));
});

test('a secrets file of other programs is read by its names and labels', async (t) => {
  const given = parseYaml(await (await prepared(), text('cluster-secrets.yaml'))) as Record<string, any>;
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
  await prepared();
  const given = parseYaml(await text('cluster-secrets.yaml')) as Record<string, any>;
  given['secrets'].aescbcencryptionsecret = base64('a'.repeat(32));
  await writeFile('both.yaml', JSON.stringify(given));
  const document = parseAllDocuments((await controlplaneOf('both.yaml')).out)
    .map((each) => each.toJS() as Record<string, any>)
    .find(({ kind }) => kind === 'OrchKvstoreEncryptionConfig');
  t.deepEqual(document?.['config'].resources[0].providers, [
    { secretbox: { keys: [{ name: 'key2', secret: given['secrets'].secretboxencryptionsecret }] } },
    { aescbc: { keys: [{ name: 'key1', secret: base64('a'.repeat(32)) }] } },
    { identity: {} },
  ]);
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
  await prepared();
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
