import test from 'ava';

import { checkMode, parse } from '@nodecore/config';
import { caCertificate, caKey } from './fixtures/authority.ts';
import { systemVolume, userVolume } from './fixtures/problems.ts';
import { rootWith } from './fixtures/root.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const ca = `{crt: ${base64(caCertificate)}, key: ${base64(caKey)}}`;
const root = `version: v1alpha1\nmachine: {type: controlplane, ca: ${ca}}\n`;
const codes = (found: readonly { code: string }[]): string[] => found.map(({ code }) => code);

test('a complete configuration has nothing to say on metal and in a cloud', (t) => {
  using configuration = parse(`${root}---\n${userVolume('')}`);
  for (const mode of ['metal', 'cloud'] as const) {
    t.deepEqual(checkMode(configuration, mode, { strict: true }), { problems: [], warnings: [] });
  }
});

test('a container takes no volumes, each is named', (t) => {
  using configuration = parse(`${root}---\n${userVolume('')}---\n${systemVolume('EPHEMERAL')}`);
  const { problems } = checkMode(configuration, 'container', { file: 'a.yaml' });
  t.deepEqual(codes(problems), ['mode.container', 'mode.container']);
  t.like(problems[0], { document: 'UserVolumeConfig/data', line: 4, column: 1, file: 'a.yaml' });
});

test('a partial configuration is a warning, and a problem when strict', (t) => {
  using configuration = parse(userVolume(''));
  t.deepEqual(codes(checkMode(configuration, 'metal').warnings), ['machine.missing']);
  t.deepEqual(codes(checkMode(configuration, 'metal', { strict: true }).problems), ['machine.missing']);
});

test('an expired authority is a warning', (t) => {
  using configuration = parse(root, { nowMs: Date.parse('2200-01-01') });
  t.deepEqual(codes(configuration.warnings), ['certificate.expired']);
  t.is(configuration.warnings[0]?.path, 'machine.ca.crt');
  t.deepEqual(codes(checkMode(configuration, 'metal', { strict: true }).problems), ['certificate.expired']);
});

test('fields of the root are held against a kind of machine as their documents are', (t) => {
  const legacy = rootWith(
    `  disks: [{device: /dev/sdb}]
  install: {image: "a.example/x:v1"}
  time: {disabled: true}
  systemDiskEncryption: {ephemeral: {provider: luks2, keys: [{nodeID: {}}]}}
`,
  );
  using configuration = parse(legacy);
  const places = (mode: 'metal' | 'cloud' | 'container'): unknown[] =>
    checkMode(configuration, mode).problems.map(({ code, path, line, column }) => [code, path, line, column]);
  t.deepEqual(places('cloud'), []);
  t.deepEqual(places('metal'), [['install.disk', 'machine.install', 6, 12]]);
  t.deepEqual(places('container'), [
    ['mode.container', 'machine.disks', 5, 10],
    ['mode.container', 'machine.systemDiskEncryption.ephemeral', 8, 37],
  ]);
  const idle = checkMode(configuration, 'container').warnings.filter(({ code }) => code === 'mode.container');
  t.deepEqual(
    idle.map(({ path, line }) => [path, line]),
    [['machine.time.disabled', 7]],
  );
});

test('every warning of the root is a problem when strict', (t) => {
  using configuration = parse(
    rootWith('  sysctls: {vm.swappiness: 1}\n  files: [{content: a, path: /var/a}]\n', '', 'init'),
  );
  t.deepEqual(codes(checkMode(configuration, 'metal').warnings), [
    'machine.type_init',
    'root.deprecated',
    'kind.no_effect',
  ]);
  const strict = checkMode(configuration, 'metal', { strict: true });
  t.deepEqual(codes(strict.problems), ['machine.type_init', 'root.deprecated', 'kind.no_effect']);
  t.deepEqual(strict.warnings, []);
});

const resolver = (more: string): string =>
  `---\napiVersion: v1alpha1\nkind: ResolverConfig\nhostDNS: {enabled: true${more}}\n`;
const inContainer = (text: string): string[] => {
  using configuration = parse(text);
  return codes(checkMode(configuration, 'container').problems);
};

test('pods in a container ask the node for names, so that it has to answer them', (t) => {
  const kubelet = '---\napiVersion: v1alpha1\nkind: OrchKubeletConfig\nimage: registry.example/kubelet:v1\n';
  t.deepEqual(inContainer(root + kubelet), ['mode.host_dns']);
  t.deepEqual(inContainer(root + kubelet + resolver('')), ['mode.host_dns']);
  t.deepEqual(inContainer(root + kubelet + resolver(', forwardKubeDNSToHost: true')), []);
  t.deepEqual(inContainer(root), []);
  const legacy = rootWith(
    '  kubelet: {image: "a.example/x:v1"}\n  features: {hostDNS: {enabled: true, forwardKubeDNSToHost: true}}\n',
  );
  t.deepEqual(inContainer(legacy), []);
});
