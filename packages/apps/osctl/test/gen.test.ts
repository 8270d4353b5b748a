import { X509Certificate } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test from 'ava';

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

test('config writes a valid configuration and a client config that belong together', async (t) => {
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
  t.is((await osctl(args)).code, 0);
  using configuration = parse(await text('home/controlplane.yaml'));
  const { machine } = configuration;
  t.like(machine?.cluster, { clusterName: 'home', endpoint: 'https://[fd00::1]:6443' });
  t.deepEqual(machine?.certSANs, ['node.example']);
  t.deepEqual(
    configuration.get('FilesystemTrimConfig'),
    { intervalMs: 168 * 3_600_000 },
    'new nodes trim once a week',
  );
  t.deepEqual(configuration.warnings, []);
  const context = Osconfig.parse(await text('home/osconfig'), 'osconfig').context();
  t.like(context, { name: 'home', endpoints: ['fd00::1'], ca: machine?.ca.crt });
  const client = pki.readCertificate(context.crt ?? '');
  t.is(client.subject, 'O=os:admin');
  t.true(client.verify(pki.readCertificate(machine?.ca.crt ?? '').publicKey));
  for (const file of ['controlplane.yaml', 'osconfig']) t.is(await mode(`home/${file}`), 0o600, file);
});

test('configurations of one secrets file share their cluster, before and after', async (t) => {
  t.is((await osctl(['gen', 'secrets'])).code, 0);
  t.is(await mode('secrets.yaml'), 0o600);
  const make = async (output: string, secrets: string): Promise<string> => {
    const args = [
      'gen',
      'config',
      'c',
      'https://a:6443',
      '-t',
      'controlplane',
      '-o',
      output,
      '--with-secrets',
      secrets,
    ];
    t.is((await osctl(args)).code, 0);
    return await text(output);
  };
  const first = await make('first.yaml', 'secrets.yaml');
  t.is(await make('second.yaml', 'secrets.yaml'), first);
  const extract = ['gen', 'secrets', '--from-controlplane-config', 'first.yaml', '-o', 'extracted.yaml'];
  t.is((await osctl(extract)).code, 0);
  t.is(await make('third.yaml', 'extracted.yaml'), first);
});

test('one output type goes to standard output', async (t) => {
  const { code, out } = await osctl(['gen', 'config', 'c', 'https://a', '-t', 'osconfig', '-o', '-']);
  t.is(code, 0);
  t.deepEqual(Osconfig.parse(out, 'out').names, ['c']);
  t.is((await osctl(['gen', 'config', 'c', 'https://a', '-o', '-'])).code, 2);
});

test('wrong input is a usage error that says what is right', async (t) => {
  const cases: [string, RegExp][] = [
    ['gen config c http://a', /https URL/u],
    ['gen config c https://a -t worker', /none of controlplane, osconfig/u],
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
  for (const content of ['MARKER: [', 'MARKER', 'cluster: {id: MARKER}', 'machine: {ca: MARKER}']) {
    await writeFile('broken.yaml', content);
    const { code, error } = await osctl(['gen', 'config', 'c', 'https://a', '--with-secrets', 'broken.yaml']);
    t.is(code, 2, content);
    t.false(error.includes('MARKER'), error);
  }
});

test('an authority in a secrets file is checked before anything is written', async (t) => {
  const [a, b] = [await pki.createCA('a'), await pki.createCA('b')];
  const ca = `{crt: ${base64(a.crt)}, key: ${base64(b.key.bytes)}}`;
  const secret = base64('s'.repeat(32));
  await writeFile('mixed.yaml', `cluster: {id: x, secret: ${secret}}\nmachine: {token: t, ca: ${ca}}\n`);
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
  t.regex(error, /does not belong to the certificate/u);
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
