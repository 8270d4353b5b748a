import test from 'ava';

import { unmark, warningsOf } from '../fixtures/marked.ts';
import { rootWith } from '../fixtures/root.ts';

const flex = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec';
const pod = (volume: string): string =>
  `apiVersion: v1alpha1\nkind: OrchStaticPodConfig\nname: p\npod: {kind: Pod, metadata: {name: p}, spec: {volumes: [{name: v, ${volume}}]}}\n`;

const warned: readonly (readonly [code: string, path: string, marked: string])[] = [
  ['volume.in_tree', 'pod.spec.volumes[0].rbd', pod('rbd: §{image: a}')],
  ['volume.flex', 'pod.spec.volumes[0].flexVolume', pod('flexVolume: §{driver: a}')],
  ['volume.flex', 'pod.spec.volumes[0].hostPath', pod(`hostPath: §{path: ${flex}/a}`)],
  [
    'volume.in_tree',
    'machine.pods[0].spec.volumes[0].cinder',
    rootWith('  pods: [{metadata: {name: p}, spec: {volumes: [{cinder: §{volumeID: a}}]}}]\n'),
  ],
  [
    'volume.in_tree',
    'machine.kubelet.extraArgs.cloud-provider',
    rootWith('  kubelet: {extraArgs: {cloud-provider: §aws}}\n'),
  ],
  [
    'volume.flex',
    'machine.kubelet.extraArgs.volume-plugin-dir',
    rootWith('  kubelet: {extraArgs: {volume-plugin-dir: §/var/x}}\n'),
  ],
  [
    'volume.flex',
    'machine.kubelet.extraConfig.volumePluginDir',
    rootWith('  kubelet: {extraConfig: {volumePluginDir: §/var/x}}\n'),
  ],
  [
    'volume.flex',
    'machine.kubelet.extraMounts[0].destination',
    rootWith(`  kubelet: {extraMounts: [{destination: §${flex}}]}\n`),
  ],
  [
    'volume.in_tree',
    'cluster.controllerManager.extraArgs.cloud-provider',
    rootWith('', '  controllerManager: {extraArgs: {cloud-provider: §vsphere}}\n'),
  ],
  [
    'volume.flex',
    'cluster.controllerManager.extraVolumes[0].hostPath',
    rootWith('', `  controllerManager: {extraVolumes: [{hostPath: §${flex}/x, mountPath: /y}]}\n`),
  ],
];

for (const [code, path, marked] of warned)
  test(`a volume plugin that is gone or going is warned of: ${path}`, (t) => {
    const { text, line, column } = unmark(marked);
    const found = warningsOf(text).filter((one) => one.code.startsWith('volume.'));
    t.deepEqual(
      found.map((one) => [one.code, one.path, one.line, one.column]),
      [[code, path, line, column]],
    );
  });

test('drivers outside of the orchestrator, and other directories, are not warned of', (t) => {
  const texts = [
    pod('csi: {driver: a}'),
    pod('hostPath: {path: /var/lib/x}'),
    rootWith(
      '  kubelet: {extraArgs: {cloud-provider: external}, extraMounts: [{destination: /usr/libexec/kubernetes}]}\n',
    ),
  ];
  for (const text of texts)
    t.deepEqual(
      warningsOf(text).filter(({ code }) => code.startsWith('volume.')),
      [],
      text,
    );
});
