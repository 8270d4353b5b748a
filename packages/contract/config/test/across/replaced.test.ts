import test from 'ava';

import { parse } from '@nodecore/config';

import { replacedPath } from '../../src/document.ts';
import { kinds } from '../../src/kind/kinds.ts';
import { moves } from '../../src/legacy/moves/all.ts';
import { caCertificate, caKey } from '../fixtures/authority.ts';
import { problemsOf } from '../fixtures/problems.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const root = `version: v1alpha1
machine:
  type: controlplane
  ca: {crt: ${base64(caCertificate)}, key: ${base64(caKey)}}
`;

test('a field of the root that a document says, too, is refused where it stands: identity and discovery of a cluster', (t) => {
  const identity = `---
apiVersion: v1alpha1
kind: DiscoveryIdentityConfig
clusterID: ${base64('i'.repeat(32))}
clusterSecret: ${base64('s'.repeat(32))}
`;
  const found = problemsOf(`${root}cluster:\n  id: home\n  secret: ${base64('r'.repeat(32))}\n${identity}`);
  t.deepEqual(
    found.map(({ code, path, line, column }) => ({ code, path, line, column })),
    [
      { code: 'root.replaced', path: 'cluster.id', line: 6, column: 7 },
      { code: 'root.replaced', path: 'cluster.secret', line: 7, column: 11 },
    ],
  );
  t.true(found.every(({ message }) => message.includes('DiscoveryIdentityConfig')));
  t.deepEqual(problemsOf(`${root}${identity}`), []);
});

test('every field that a kind replaces is refused beside a document of it, wherever it lies in the root', (t) => {
  let fields = 0;
  for (const { kind, options } of kinds.values()) {
    for (const each of options.replaces ?? []) {
      const path = replacedPath(each);
      const [section = '', first = '', ...below] = path.split('.');
      const value = below.toReversed().reduce((text, step) => `{${step}: ${text}}`, '{}');
      const text = `${root}${section === 'machine' ? '' : `${section}:\n`}  ${first}: ${value}\n`;
      const said = typeof each === 'string' ? '' : `${each.beside}: {}\n`;
      const document = `---\napiVersion: v1alpha1\nkind: ${kind}\n${said}`;
      const found = problemsOf(`${text}${document}${document}name: other\n`);
      const replaced = found.filter(({ code }) => code === 'root.replaced');
      t.deepEqual(
        replaced.map((one) => one.path),
        [path],
        `${kind} ${path}`,
      );
      t.is(replaced[0]?.line, section === 'machine' ? 5 : 6, path);
      fields += 1;
    }
  }
  t.true(fields > 30, `${fields} fields`);
});

const replaces = (kind: string): readonly string[] =>
  (kinds.get(kind)?.options.replaces ?? []).map(replacedPath);

test('every field of the root that does not add up with documents is refused beside them, or is compared field by field', (t) => {
  const compared = ['machine.network.interfaces', 'machine.systemDiskEncryption'];
  for (const { from, into, merges = false } of moves)
    for (const path of merges ? [] : from) {
      const covered = into.some((kind) =>
        replaces(kind).some((one) => path === one || path.startsWith(`${one}.`)),
      );
      t.not(
        covered,
        compared.some((one) => path.startsWith(one)),
        path,
      );
    }
});

const resolver = (fields: string): string => `---\napiVersion: v1alpha1\nkind: ResolverConfig\n${fields}`;
const dot = '{address: 9.9.9.9, protocol: DoT, tlsServerName: dns.example}';

test("the node's own resolver may stay in the root beside a document that does not say it, with a warning", (t) => {
  const features = `${root}  features: {hostDNS: {enabled: true}}\n`;
  using configuration = parse(features + resolver(`nameservers: [${dot}, {address: 10.0.0.1}]\n`));
  t.true(configuration.effective('ResolverConfig')?.hostDNS?.enabled);
  t.deepEqual(
    configuration.warnings.map(({ code, path }) => [code, path]),
    [['root.deprecated', 'machine.features.hostDNS']],
  );
  const both = problemsOf(features + resolver('hostDNS: {enabled: true}\n'));
  t.deepEqual(
    both.map(({ code, path, line, column }) => [code, path, line, column]),
    [['root.replaced', 'machine.features.hostDNS', 5, 23]],
    'also where both say the same',
  );
  const off = problemsOf(features.replace('true', 'false') + resolver(`nameservers: [${dot}]\n`));
  t.deepEqual(
    off.map(({ code, path }) => [code, path]),
    [['resolver.encrypted', 'nameservers[0].protocol']],
    'what the root says counts for the document',
  );
});

test('a field of the kubelet that is of the node is refused by its name beside the document of the node', (t) => {
  const node = '---\napiVersion: v1alpha1\nkind: OrchNodeConfig\nlabels: {rack: a1}\n';
  const found = problemsOf(
    `${root}  kubelet: {registerWithFQDN: true, clusterDNS: [10.0.0.10]}\ncluster:\n  allowSchedulingOnControlPlanes: false\n${node}`,
  );
  t.deepEqual(
    found.map(({ code, path, line }) => [code, path, line]),
    [
      ['root.replaced', 'machine.kubelet.registerWithFQDN', 5],
      ['root.replaced', 'cluster.allowSchedulingOnControlPlanes', 7],
    ],
  );
  t.true(found.every(({ message }) => message.includes('OrchNodeConfig')));
  t.deepEqual(problemsOf(`${root}  kubelet: {clusterDNS: [10.0.0.10]}\n${node}`), []);
});
