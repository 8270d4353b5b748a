/* The rules of the interface about configurations, each by its number there. */
import test from 'ava';

import { ConfigError, patchConfiguration } from '@nodecore/config';
import { unmark } from '../fixtures/marked.ts';
import { codesOf, problemsOf } from '../fixtures/problems.ts';
import { rootWith } from '../fixtures/root.ts';

const one = (kind: string, fields: string): string => `---\napiVersion: v1alpha1\nkind: ${kind}\n${fields}`;
const bytes = (letter: string): string => Buffer.from(letter.repeat(32)).toString('base64');

function names(
  t: { deepEqual: (a: unknown, b: unknown) => void },
  marked: string,
  code: string,
  path: string,
): void {
  const { text, line, column } = unmark(marked);
  t.deepEqual(
    problemsOf(text).map((found) => [found.code, found.path, found.line, found.column]),
    [[code, path, line, column]],
  );
}

test('rule 1: a runtime specification in a document and in the root is refused', (t) => {
  const root = rootWith('  baseRuntimeSpecOverrides: §{process: {}}\n');
  const document = one('CRIBaseRuntimeSpecConfig', 'overrides: {process: {}}\n');
  names(t, root + document, 'root.replaced', 'machine.baseRuntimeSpecOverrides');
  t.deepEqual(codesOf(unmark(root).text), []);
});

test('rule 2: a file of the node is not written by a document', (t) => {
  for (const name of [
    'resolv.conf',
    'hosts',
    'machine-id',
    'os-release',
    'localtime',
    'ssl/x',
    'pki/x',
    'cni/x',
    'lvm/x',
  ])
    names(t, one('EtcFileConfig', `name: §${name}\ncontents: x\n`), 'etc_file.reserved', 'name');
});

test('rule 3: a fragment named customization is refused, as machine.files has it', (t) => {
  names(
    t,
    one('CRICustomizationConfig', 'name: §customization\ncontent: ""\n').replace(
      'content: ""',
      'content: "a = 1"',
    ),
    'cri.reserved',
    'name',
  );
});

test('rule 4: discovery and identity are said by the root or by documents, never by both', (t) => {
  const identity = one('DiscoveryIdentityConfig', `clusterID: ${bytes('i')}\nclusterSecret: ${bytes('s')}\n`);
  const service = one('DiscoveryServiceConfig', 'name: default\nendpoint: https://d.example\n');
  names(t, rootWith('', `  id: §${bytes('i')}\n`) + identity, 'root.replaced', 'cluster.id');
  names(t, rootWith('', `  secret: §${bytes('s')}\n`) + identity, 'root.replaced', 'cluster.secret');
  const legacy = rootWith('', '  discovery: §{registries: {service: {endpoint: "https://d.example"}}}\n');
  names(t, legacy + identity + service, 'root.replaced', 'cluster.discovery');
  t.deepEqual(codesOf(rootWith('') + identity + service), []);
});

test('rule 13: a patch does not set the disk of an installation, by merge or by operation', (t) => {
  const before = rootWith('');
  const texts = [
    'machine: {install: {disk: /dev/sda}}\n',
    '[{op: add, path: /machine/install, value: {disk: /dev/sda}}]\n',
  ];
  for (const text of texts) {
    const error = t.throws(() => patchConfiguration(before, [{ text, file: 'p.yaml' }]), {
      instanceOf: ConfigError,
    });
    t.is(error.problems[0]?.code, 'patch.install_disk');
    t.regex(error.problems[0]?.message ?? '', /UnattendedInstallConfig/u);
  }
});
