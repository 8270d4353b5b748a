import test from 'ava';
import { parse, resolveSize } from '@nodecore/config';

import { filesystemLabel, fromConfiguration, type VolumeSpec } from '../../src/index.ts';
import { bySpace } from '../../src/manager/order.ts';
import { restartReasons } from '../../src/plan/spec-change.ts';
import { encryption, passphrase, userSpec } from '../specs.ts';
import { systemSpecs } from '../system-specs.ts';

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
  t.is(ephemeral?.mount?.flags.noexec, false);
});

test('on a host that is not ours there are only the user volumes, below the mount root', (t) => {
  const specs = fromConfiguration(parse(text), { systemDisk: false, mountRoot: '/srv' });
  t.deepEqual(
    specs.map((spec) => [spec.id, spec.mount?.target, spec.mount?.parent]),
    [['u-data', '/srv/var/mnt/data', undefined]],
  );
});

test('every kind of volume has its place, its partition type and its flags', (t) => {
  const documents = `apiVersion: v1alpha1
kind: RawVolumeConfig
name: osd
provisioning: {diskSelector: {match: '!system_disk'}, minSize: 1GiB}
---
apiVersion: v1alpha1
kind: SwapVolumeConfig
name: swap
provisioning: {diskSelector: {match: 'system_disk'}, maxSize: 4GiB}
---
apiVersion: v1alpha1
kind: UserVolumeConfig
name: cache
volumeType: directory
---
apiVersion: v1alpha1
kind: ExistingVolumeConfig
name: old
discovery: {volumeSelector: {match: 'volume.label == "old"'}}
mount: {readOnly: true}
---
apiVersion: v1alpha1
kind: ExternalVolumeConfig
name: shared
filesystemType: virtiofs
mount: {virtiofs: {tag: tag-1}, secure: false}
---
apiVersion: v1alpha1
kind: VolumeConfig
name: ETCD
provisioning: {diskSelector: {match: 'disk.transport == "nvme"'}, maxSize: 10GiB}
---
apiVersion: v1alpha1
kind: VolumeConfig
name: LOG
---
apiVersion: v1alpha1
kind: VolumeConfig
name: IMAGECACHE
`;
  const specs = fromConfiguration(parse(documents), { systemDisk: true });
  const byId = new Map(specs.map((spec) => [spec.id, spec]));
  t.deepEqual(
    [...byId.keys()],
    ['STATE', 'EPHEMERAL', 'ETCD', 'IMAGECACHE', 'u-cache', 'r-osd', 's-swap', 'e-old', 'x-shared'],
  );
  t.deepEqual([byId.get('r-osd')?.filesystem, byId.get('r-osd')?.mount], [undefined, undefined]);
  t.like(byId.get('s-swap'), {
    kind: 'swap',
    partition: { typeGuid: '0657FD6D-A4AB-43C4-84E5-0933C84B4F4F' },
    filesystem: { type: 'swap', label: 's-swap' },
  });
  t.like(byId.get('u-cache'), {
    type: 'directory',
    mount: { target: '/var/mnt/cache', parent: 'EPHEMERAL' },
  });
  t.like(byId.get('e-old'), {
    provision: false,
    mount: { target: '/var/mnt/old', flags: { readOnly: true, noexec: true } },
  });
  t.is(byId.get('e-old')?.mount?.mode, undefined); // its owner has set it
  t.like(byId.get('x-shared'), { type: 'external', tag: 'tag-1', mount: { flags: { nosuid: false } } });
  t.like(byId.get('ETCD'), {
    kind: 'system',
    filesystem: { type: 'xfs', label: 'ETCD' },
    mount: { target: '/var/lib/etcd', parent: 'EPHEMERAL', mode: 0o700, flags: { noexec: true } },
  });
  t.like(byId.get('IMAGECACHE'), { disks: 'system-disk', filesystem: { type: 'ext4' } });
});

test('a volume of the node itself takes its space before EPHEMERAL takes the rest', (t) => {
  const documents = 'apiVersion: v1alpha1\nkind: VolumeConfig\nname: LOG\nprovisioning: {maxSize: 3GiB}\n';
  const specs = fromConfiguration(parse(documents), { systemDisk: true });
  t.deepEqual(
    specs.toSorted(bySpace).map((spec) => spec.id),
    ['STATE', 'LOG', 'EPHEMERAL'],
  );
});

test('of all volumes only a raw one is to be made blank, as its document says', (t) => {
  const place = `diskSelector: {match: 'true'}, minSize: 1GiB`;
  const head = 'apiVersion: v1alpha1\nname: a\n';
  const blankOf = (kind: string, fields: string): unknown =>
    fromConfiguration(parse(`${head}kind: ${kind}\nprovisioning: {${place}${fields}}\n`), {
      systemDisk: false,
    })[0]?.blank;
  t.is(blankOf('RawVolumeConfig', ''), 'zeroes');
  t.is(blankOf('RawVolumeConfig', ', blank: none'), 'none');
  t.is(blankOf('SwapVolumeConfig', ''), undefined);
  t.is(blankOf('UserVolumeConfig', ''), undefined);
});

test('a limit means the same for every kind of volume', (t) => {
  const heads = [
    'kind: UserVolumeConfig\nname: a',
    'kind: RawVolumeConfig\nname: a',
    'kind: SwapVolumeConfig\nname: a',
    ...['EPHEMERAL', 'IMAGECACHE', 'ETCD', 'LOG'].map((name) => `kind: VolumeConfig\nname: ${name}`),
  ];
  const available = 100n << 30n;
  for (const [limit, bytes] of [
    ['-10GiB', 90n << 30n],
    ['-12.5%', (available * 875n) / 1000n],
    ['25%', 25n << 30n],
    ['30GiB', 30n << 30n],
  ] as const) {
    const text = heads
      .map(
        (head) =>
          `apiVersion: v1alpha1\n${head}\nprovisioning: {diskSelector: {match: 'true'}, maxSize: ${limit}}\n`,
      )
      .join('---\n');
    const specs = fromConfiguration(parse(text), { systemDisk: true }).filter(({ id }) => id !== 'STATE');
    t.is(specs.length, heads.length);
    for (const { id, partition } of specs)
      t.is(resolveSize(available, partition?.minSize, partition?.maxSize), bytes, `${id} ${limit}`);
  }
});

function limited(name: string, limit: string): VolumeSpec {
  const text = `apiVersion: v1alpha1
kind: UserVolumeConfig
name: ${name}
provisioning: {diskSelector: {match: 'true'}, maxSize: ${limit}}
`;
  const [spec] = fromConfiguration(parse(text), { systemDisk: false });
  if (spec === undefined) throw new Error('no volume');
  return spec;
}

test('what leaves space free, or takes a share, comes after what has a size', (t) => {
  const specs = [limited('a', '-1GiB'), limited('b', '10%'), limited('c', '500GiB'), limited('d', '2GiB')];
  t.deepEqual(
    specs.toSorted(bySpace).map(({ id }) => id),
    ['u-d', 'u-c', 'u-a', 'u-b'],
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
