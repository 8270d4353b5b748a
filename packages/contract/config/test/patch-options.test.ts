import test from 'ava';

import { ConfigError, patchConfiguration, type PatchOptions } from '@nodecore/config';

const zswap = 'apiVersion: v1alpha1\nkind: ZswapConfig\nmaxPoolPercent: 20\n';
const root = `version: v1alpha1\nmachine: {type: worker, install: {disk: /dev/sda}}\n---\n${zswap}`;

function codes(patch: string, options: PatchOptions = {}): readonly string[] {
  try {
    patchConfiguration(root, [{ text: patch }], options);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ code, line, column }) => `${code} ${line}:${column}`);
  }
}

test('to delete what is not there is a problem, unless it is to be ignored', (t) => {
  const missing = ['kind: SysctlConfig\n$patch: delete', '[{op: remove, path: /SysctlConfig}]'];
  const absent = '[{op: remove, path: /ZswapConfig/shrinkerEnabled}]';
  for (const patch of [...missing, absent]) {
    t.is(codes(patch).length, 1, patch);
    t.deepEqual(codes(patch, { ignoreMissing: true }), [], patch);
    t.is(patchConfiguration(root, [{ text: patch }], { ignoreMissing: true }), root);
  }
  const other = '[{op: replace, path: /ZswapConfig/shrinkerEnabled, value: true}]';
  t.deepEqual(
    codes(other, { ignoreMissing: true }),
    ['patch.path_missing 1:22'],
    'only removing is forgiven',
  );
});

test('no patch chooses the disk of an installation, in whatever form', (t) => {
  const place: readonly (readonly [string, string])[] = [
    ['version: v1alpha1\nmachine:\n  install:\n    disk: /dev/sdb', '4:11'],
    ['machine: {install: {disk: /dev/sdb, wipe: true}}', '1:27'],
    ['[{op: add, path: /machine/install/disk, value: /dev/sdb}]', '1:18'],
    ['[{op: replace, path: /machine/install, value: {disk: /dev/sdb}}]', '1:22'],
    ['[{op: add, path: /machine, value: {install: {disk: /dev/sdb}}}]', '1:18'],
    ['[{op: copy, from: /machine/type, path: /machine/install/disk}]', '1:40'],
  ];
  for (const [patch, at] of place) {
    t.deepEqual(codes(patch), [`patch.install_disk ${at}`], patch);
    t.deepEqual(codes(patch, { mayChooseDisk: true }), [], patch);
  }
  for (const patch of [
    'machine: {install: {disk: null}}',
    'machine: {install: {$patch: delete}}',
    'machine: {install: {wipe: true}}',
    '[{op: remove, path: /machine/install/disk}]',
    '[{op: test, path: /machine/install/disk, value: /dev/sda}]',
    'apiVersion: v1alpha1\nkind: UnattendedInstallConfig\nprovisioning: {diskSelector: {match: "true"}}',
  ])
    t.deepEqual(codes(patch), [], patch);
});
