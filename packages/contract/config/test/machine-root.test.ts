import test from 'ava';

import { parse, rootAlone } from '@nodecore/config';
import { caCertificate, caKey, leafCertificate, otherKey } from './fixtures/authority.ts';
import { codesOf } from './fixtures/problems.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const ca = `{crt: ${base64(caCertificate)}, key: ${base64(caKey)}}`;
const root = (machine: string, cluster = '{}'): string =>
  `version: v1alpha1\nmachine: {type: controlplane, ${machine}}\ncluster: ${cluster}\n`;
const authority = (crt: string, key: string): string => root(`ca: {crt: "${crt}", key: "${key}"}`);

test('the root document carries the authority, its key and the token as secrets', (t) => {
  const cluster = `{id: abc, secret: ${base64('s'.repeat(32))}, clusterName: home, controlPlane: {endpoint: "https://10.0.0.1:6443"}}`;
  using configuration = parse(
    root(
      `token: open.sesame, ca: ${ca}, acceptedCAs: [{crt: ${base64(caCertificate)}}], certSANs: [node.example, "::1"]`,
      cluster,
    ),
  );
  const { machine } = configuration;
  t.is(machine?.ca.crt, caCertificate);
  t.is(machine?.ca.key?.bytes.toString(), caKey);
  t.is(machine?.token?.bytes.toString(), 'open.sesame');
  t.is(machine?.cluster.secret?.bytes.toString(), 's'.repeat(32));
  t.like(machine, {
    type: 'controlplane',
    acceptedCAs: [caCertificate],
    certSANs: ['node.example', '::1'],
    cluster: { id: 'abc', clusterName: 'home', endpoint: 'https://10.0.0.1:6443' },
  });
});

test('an authority that could not issue certificates is refused', (t) => {
  t.deepEqual(codesOf(authority(base64(caCertificate), base64(caKey))), []);
  t.deepEqual(codesOf(authority(base64(caCertificate), base64(otherKey))), ['private_key.mismatch']);
  t.deepEqual(codesOf(authority(base64(leafCertificate), base64(caKey))), [
    'certificate.not_ca',
    'private_key.mismatch',
  ]);
  t.deepEqual(
    codesOf(
      authority(base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'), base64(caKey)),
    ),
    ['certificate.invalid'],
  );
  t.deepEqual(codesOf(authority(base64(caCertificate), base64('-----BEGIN PRIVATE KEY-----\nAAAA'))), [
    'private_key.invalid',
  ]);
  t.deepEqual(codesOf(authority('not base64!', 'AAA')), ['certificate.invalid', 'private_key.invalid']);
  t.deepEqual(codesOf(root(`ca: {crt: ${base64(caCertificate)}}`)), ['required']);
  t.deepEqual(codesOf(authority(base64(`${caCertificate}more text`), base64(caKey))), [
    'certificate.invalid',
  ]);
});

const worker = (itsAuthority: string): string =>
  root(`ca: ${itsAuthority}`).replace('type: controlplane', 'type: worker');

test('a worker has the certificate of its authority, and a key in its document is not read', (t) => {
  for (const without of [`{crt: ${base64(caCertificate)}}`, `{crt: ${base64(caCertificate)}, key: ""}`]) {
    using configuration = parse(worker(without));
    t.deepEqual(configuration.machine?.ca, { crt: caCertificate });
    t.deepEqual(configuration.warnings, []);
    t.deepEqual(codesOf(root(`ca: ${without}`)), ['required'], 'a control plane needs it');
  }
  using configuration = parse(worker(ca));
  t.deepEqual(configuration.machine?.ca, { crt: caCertificate });
  t.deepEqual(
    configuration.warnings.map(({ code, path }) => `${code} ${path}`),
    ['machine.worker_key machine.ca.key'],
  );
});

test('names, endpoint and cluster secret have the right form', (t) => {
  t.deepEqual(codesOf(root(`ca: ${ca}, certSANs: ["bad name"]`)), ['cert_san.invalid']);
  t.deepEqual(codesOf(root(`ca: ${ca}`, '{controlPlane: {endpoint: "http://a"}}')), ['endpoint.invalid']);
  t.deepEqual(codesOf(root(`ca: ${ca}`, `{secret: ${base64('short')}}`)), ['cluster.secret']);
});

test('unknown fields, a wrong version and a wrong type are problems', (t) => {
  t.deepEqual(codesOf(root(`ca: ${ca}, networks: {}`)), ['unknown_field']);
  t.deepEqual(codesOf(root(`ca: ${ca}`).replace('v1alpha1', 'v2')), ['invalid_value']);
  t.deepEqual(codesOf(root(`ca: ${ca}`).replace('controlplane', 'initial')), ['invalid_value']);
  t.deepEqual(codesOf(`${root(`ca: ${ca}`)}---\n${root(`ca: ${ca}`)}`), ['document.duplicate']);
});

test('of a text that is wrong elsewhere those whom the machine lets in are still known', (t) => {
  const fine = root(`ca: ${ca}, acceptedCAs: [{crt: ${base64(caCertificate)}}], certSANs: [node.example]`);
  const wrong = `apiVersion: v1alpha1\nkind: Unheard\nmachine: {type: worker}\n---\n${fine}newer: {field: 1}\n`;
  t.throws(() => parse(wrong));
  using alone = rootAlone(wrong);
  t.is(alone?.machine?.ca.crt, caCertificate);
  t.like(alone?.machine, { type: 'controlplane', acceptedCAs: [caCertificate], certSANs: ['node.example'] });
  t.is(alone?.documents.length, 1);
  for (const none of ['', 'machine: [', 'machine: {type: worker}\n', authority('bm9uZQ==', base64(caKey))])
    t.is(rootAlone(none), undefined, none);
});

test('who gets what the services say is a URL of tcp or udp with a port, and tags', (t) => {
  const logging = (destination: string): string =>
    root(`ca: ${ca}, logging: {destinations: [${destination}]}`);
  using configuration = parse(
    logging('{endpoint: "tcp://logs.example:5140", format: json_lines, extraTags: {site: a, rack: "7"}}'),
  );
  const [one] = configuration.machine?.logging ?? [];
  t.is(one?.endpoint.href, 'tcp://logs.example:5140');
  t.deepEqual(
    [...(one?.extraTags ?? [])],
    [
      ['site', 'a'],
      ['rack', '7'],
    ],
  );
  const wrong: readonly (readonly [string, string])[] = [
    ['{endpoint: "http://x:1", format: json_lines}', 'url.invalid'],
    ['{endpoint: "tcp://x", format: json_lines}', 'url.port'],
    ['{endpoint: "udp://x:1/path", format: json_lines}', 'url.port'],
    ['{endpoint: "udp://x:1", format: text}', 'invalid_value'],
    ['{format: json_lines}', 'required'],
    ['', 'list.short'],
  ];
  for (const [destination, code] of wrong) t.deepEqual(codesOf(logging(destination)), [code], destination);
  using without = parse(root(`ca: ${ca}`));
  t.deepEqual(without.machine?.logging, []);
});
