import test from 'ava';

import { changedDocuments, parse } from '@nodecore/config';

import { effectOf, worst } from '../src/legacy/effects.ts';
import { pairs } from './fixtures/legacy-pairs.ts';
import { rootWith } from './fixtures/root.ts';

const document = (kind: string, body: string): string => `apiVersion: v1alpha1\nkind: ${kind}\n${body}`;
const sysctl = (value: number): string => document('SysctlConfig', `params: {vm.swappiness: ${value}}\n`);
const environment = document('EnvironmentConfig', 'variables: {http_proxy: "http://u:secret@proxy"}\n');
const motd = document('EtcFileConfig', 'name: motd\ncontents: a\n');

test('what is new, changed or gone is named with what it takes; the rest is not', (t) => {
  using before = parse(
    [sysctl(1), motd, document('StaticHostConfig', 'name: 10.0.0.1\nhostnames: [a]\n')].join('---\n'),
  );
  using after = parse(['# said again\n', motd, '---\n', sysctl(2), '---\n', environment].join(''));
  t.deepEqual(changedDocuments(before, after), [
    { identity: 'SysctlConfig', effect: 'live' },
    { identity: 'EnvironmentConfig', effect: 'service' },
    { identity: 'StaticHostConfig/10.0.0.1', effect: 'live' },
  ]);
  t.deepEqual(changedDocuments(after, after), []);
  t.is(changedDocuments(undefined, after).length, 3);
  t.notRegex(JSON.stringify(changedDocuments(before, after)), /secret/);
});

function rootFields(before: string, after: string): readonly (readonly [path: string, effect: string])[] {
  using former = parse(before);
  using latter = parse(after);
  const [root] = changedDocuments(former, latter);
  return root?.fields?.map(({ path, effect }) => [path, effect] as const) ?? [];
}

for (const [index, [machine, cluster, documents]] of pairs.entries())
  test(`fields of the root take what their documents take: ${index} ${documents.map(([kind]) => kind).join()}`, (t) => {
    using before = parse(rootWith(''));
    using after = parse(rootWith(machine, cluster));
    const [root] = changedDocuments(before, after);
    t.is(root?.identity, 'machine');
    t.is(root?.effect, worst(documents.map(([kind]) => effectOf(kind))));
    t.is(changedDocuments(after, before)[0]?.effect, root?.effect, 'the same when they go');
  });

test('each changed field of the root has its own effect, by its path', (t) => {
  const before = rootWith('  sysctls: {vm.swappiness: 1}\n  env: {a: b}\n');
  const after = rootWith(
    [
      '  sysctls: {vm.swappiness: 2}\n',
      '  env: {a: b}\n',
      '  certSANs: [a.example]\n',
      '  features: {imageCache: {localEnabled: true}, diskQuotaSupport: true, stableHostname: true}\n',
      '  install: {disk: /dev/sda}\n',
      '  kubelet: {nodeIP: {validSubnets: [10.0.0.0/8]}, clusterDNS: [10.0.0.10]}\n',
    ].join(''),
  );
  t.deepEqual(rootFields(before, after), [
    ['machine.sysctls', 'live'],
    ['machine.certSANs', 'live'],
    ['machine.features.imageCache', 'reboot'],
    ['machine.features.diskQuotaSupport', 'none'],
    ['machine.features.stableHostname', 'live'],
    ['machine.install', 'once'],
    ['machine.kubelet.nodeIP', 'live'],
    ['machine.kubelet.clusterDNS', 'service'],
  ]);
  t.deepEqual(
    rootFields(before, before.replace('sysctls: {vm.swappiness: 1}', 'sysctls:\n    vm.swappiness: 1')),
    [],
  );
});

const rootOf = (type: string, cluster = ''): string => rootWith('', cluster, type);

test('fields that the node keeps and does not act on take nothing, also where only a control plane has them', (t) => {
  t.deepEqual(rootFields(rootWith(''), rootWith('  files: [{content: a, path: /var/a}]\n')), [
    ['machine.files', 'none'],
  ]);
  t.deepEqual(rootFields(rootWith(''), rootWith('  kubelet: {extraMounts: [{destination: /a}]}\n')), [
    ['machine.kubelet.extraMounts', 'none'],
  ]);
  t.deepEqual(rootFields(rootOf('worker'), rootOf('worker', '  coreDNS: {disabled: true}\n')), [
    ['cluster.coreDNS', 'none'],
  ]);
  t.deepEqual(rootFields(rootOf('controlplane'), rootOf('controlplane', '  coreDNS: {disabled: true}\n')), [
    ['cluster.coreDNS', 'live'],
  ]);
  t.deepEqual(rootFields(rootOf('worker'), rootOf('controlplane')), [['machine.type', 'service']]);
});
