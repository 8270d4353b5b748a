import test from 'ava';
import { parse } from '@nodecore/config';

import { filesystemLabel, fromConfiguration } from '../src/index.ts';
import { bySpace } from '../src/order.ts';
import { restartReasons } from '../src/spec-change.ts';
import { encryption, passphrase, userSpec } from './specs.ts';
import { systemSpecs } from './system-specs.ts';

const text = `apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
provisioning:
  diskSelector:
    match: '!system_disk'
  minSize: 1GiB
  maxSize: 80%
encryption:
  provider: luks2
  keys:
    - slot: 0
      nodeID: {}
`;

test('a document becomes a spec with the fixed names and places', (t) => {
  const [state, ephemeral, data] = fromConfiguration(parse(text), { systemDisk: true });
  t.like(state, {
    id: 'STATE',
    disks: 'system-disk',
    recorded: false,
    mount: { target: '/system/state', mode: 0o700 },
  });
  t.like(ephemeral, {
    id: 'EPHEMERAL',
    mount: { target: '/var' },
    partition: { minSize: 2n << 30n, grow: true },
  });
  t.like(data, {
    id: 'u-data',
    type: 'partition',
    recorded: true,
    partition: { minSize: 1n << 30n, typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4' },
    filesystem: { type: 'xfs', label: 'u-data' },
    mount: {
      target: '/var/mnt/data',
      parent: 'EPHEMERAL',
      flags: { nosuid: true, nodev: true, noexec: true },
    },
  });
  t.is(ephemeral?.mount.flags.noexec, false);
});

test('on a host that is not ours there are only the user volumes, below the mount root', (t) => {
  const specs = fromConfiguration(parse(text), { systemDisk: false, mountRoot: '/srv' });
  t.deepEqual(
    specs.map((spec) => [spec.id, spec.mount.target, spec.mount.parent]),
    [['u-data', '/srv/var/mnt/data', undefined]],
  );
});

test('without a configuration STATE is looked for and not made', (t) => {
  t.deepEqual(
    fromConfiguration(undefined, { systemDisk: true }).map((spec) => [spec.id, spec.provision]),
    [['STATE', false]],
  );
  t.deepEqual(fromConfiguration(undefined, { systemDisk: false }), []);
});

test('a label that does not fit is cut, and stays different from its neighbours', (t) => {
  t.is(filesystemLabel('u-data', 'xfs'), 'u-data');
  const long = filesystemLabel('u-a-rather-long-name-1', 'xfs');
  t.is(long.length, 12);
  t.not(long, filesystemLabel('u-a-rather-long-name-2', 'xfs'));
});

test('space is taken by the system first, then by bounded, then by unbounded demand', (t) => {
  const bounded = userSpec('b', 'true');
  const { maxSize: _none, ...open } = bounded.partition ?? { typeGuid: '', minSize: 1n, grow: false };
  const unbounded = userSpec('a', 'true', { partition: open });
  const ids = [unbounded, ...systemSpecs().toReversed(), bounded].toSorted(bySpace).map((spec) => spec.id);
  t.deepEqual(ids, ['STATE', 'EPHEMERAL', 'u-b', 'u-a']);
});

test('what needs a reboot is named by its field; keys do not need one', (t) => {
  const before = userSpec('data', 'true', { encryption: encryption(passphrase(0, 'old')) });
  const after = userSpec('data', 'true', { encryption: encryption(passphrase(0, 'new')) });
  t.deepEqual(restartReasons(before, after), []);
  t.deepEqual(restartReasons(before, before), []);
  t.deepEqual(restartReasons(before, { ...before, filesystem: { ...before.filesystem, type: 'ext4' } }), [
    'filesystem',
  ]);
});
