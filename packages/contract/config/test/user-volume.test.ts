import test from 'ava';

import { parse } from '@nodecore/config';
import { codesOf, problemsOf, userVolume } from './fixtures/problems.ts';

const named = (name: string): string[] => codesOf(userVolume('').replace('name: data', `name: ${name}`));

test('a complete user volume becomes values with every default applied', (t) => {
  const text = userVolume('filesystem: {type: ext4}', 'minSize: 50GiB, maxSize: -10%');
  using configuration = parse(text);
  const [volume] = configuration.all('UserVolumeConfig');
  t.like(volume, {
    kind: 'user',
    name: 'data',
    id: 'u-data',
    volumeType: 'partition',
    filesystem: { type: 'ext4', projectQuotaSupport: false },
    mount: { secure: true, disableAccessTime: false },
  });
  t.is(volume?.encryption, undefined);
  t.like(volume?.provisioning, { minSize: 50n << 30n, grow: false });
  t.like(volume?.provisioning.maxSize, {
    kind: 'percent',
    digits: 10n,
    decimals: 0,
    negative: true,
    text: '-10%',
  });
  t.is(volume?.provisioning.diskSelector?.text, 'disk.size > 0');
});

test('the smallest document uses xfs and 100 MiB', (t) => {
  using configuration = parse(userVolume('', 'maxSize: 1GiB'));
  const [volume] = configuration.all('UserVolumeConfig');
  t.is(volume?.filesystem?.type, 'xfs');
  t.is(volume?.provisioning.minSize, 100n << 20n);
});

test('a size may be a bare number, read as it is written', (t) => {
  using configuration = parse(userVolume('', 'minSize: 9007199254740993'));
  t.is(configuration.all('UserVolumeConfig')[0]?.provisioning.minSize, 9_007_199_254_740_993n);
  t.deepEqual(codesOf(userVolume('', 'minSize: 1e9')), ['size.invalid']);
});

test('a name is 1 to 34 letters, digits and hyphens', (t) => {
  t.deepEqual(named('a'.repeat(34)), []);
  t.deepEqual(named('Data-1'), []);
  t.deepEqual(named('a'.repeat(35)), ['name.length']);
  t.deepEqual(named('""'), ['name.required']);
  t.deepEqual(named('a_b'), ['name.characters']);
  t.deepEqual(named('"../etc"'), ['name.characters']);
  t.deepEqual(named('dätä'), ['name.characters']);
  t.deepEqual(named('123'), ['wrong_type']);
  t.deepEqual(codesOf(userVolume('').replace('name: data\n', '')), ['required']);
});

test('a partition needs a selector and a size', (t) => {
  const start = 'apiVersion: v1alpha1\nkind: UserVolumeConfig\nname: data\n';
  t.deepEqual(codesOf(start), ['disk_selector.required', 'size.required']);
  t.deepEqual(codesOf(`${start}provisioning: {minSize: 1GiB}`), ['disk_selector.required']);
  t.deepEqual(codesOf(`${start}provisioning: {diskSelector: {match: ""}, minSize: 1GiB}`), [
    'disk_selector.required',
  ]);
  t.deepEqual(codesOf(userVolume('', '')), ['size.required']);
  t.deepEqual(codesOf(userVolume('', 'minSize: ""')), ['size.required']);
});

test('sizes that contradict each other or themselves are refused', (t) => {
  t.deepEqual(codesOf(userVolume('', 'minSize: 2GiB, maxSize: 1GiB')), ['size.min_gt_max']);
  t.deepEqual(codesOf(userVolume('', 'maxSize: 50MiB')), ['size.min_gt_max']); // the default minimum
  t.deepEqual(codesOf(userVolume('', 'minSize: 2GiB, maxSize: 2GiB')), []);
  t.deepEqual(codesOf(userVolume('', 'minSize: 2GiB, maxSize: 1%')), []);
  t.deepEqual(codesOf(userVolume('', 'minSize: 2GiB, maxSize: -1GiB')), []);
  t.deepEqual(codesOf(userVolume('', 'minSize: -2GiB')), ['size.min_negative']);
  t.deepEqual(codesOf(userVolume('', 'minSize: 50%')), ['size.not_relative']);
  t.deepEqual(codesOf(userVolume('', 'minSize: 0')), ['size.zero']);
  for (const nothing of ['0', '0%', '-100%', '-0GiB']) {
    t.deepEqual(codesOf(userVolume('', `maxSize: "${nothing}"`)), ['size.zero'], nothing);
  }
  t.deepEqual(codesOf(userVolume('', 'minSize: 1GX, maxSize: 101%')), ['size.invalid', 'size.percent']);
  t.deepEqual(codesOf(userVolume('', 'minSize: 16EiB')), ['size.overflow']);
});

test('a whole disk takes a selector and nothing else, and grows', (t) => {
  using configuration = parse(userVolume('volumeType: disk', ''));
  const [volume] = configuration.all('UserVolumeConfig');
  t.is(volume?.volumeType, 'disk');
  t.deepEqual({ ...volume?.provisioning, diskSelector: undefined }, { diskSelector: undefined, grow: true });
  t.deepEqual(codesOf(userVolume('volumeType: disk', 'minSize: 1GiB, maxSize: 2GiB, grow: true')), [
    'size.not_supported',
    'size.not_supported',
    'size.not_supported',
  ]);
});

const erase = (text: string, more = ''): string[] =>
  codesOf(userVolume(more, `minSize: 1GiB, erase: ${text}`));

test('what may be erased is named disk by disk', (t) => {
  t.deepEqual(erase('[naa.5000c500a0b1c2d3, "S-1"]'), []);
  t.deepEqual(erase('[]'), ['erase.empty']);
  t.deepEqual(erase('S-1'), ['wrong_type']);
  t.deepEqual(erase('["", " "]'), ['erase.name', 'erase.name']);
  t.deepEqual(erase('[S-1, S-1]'), ['erase.duplicate']);
  t.deepEqual(erase('[12]'), ['wrong_type']);
  t.deepEqual(erase('[S-1]', 'volumeType: directory'), ['volume.directory']);
});

test('a selector that does not compile is shown where it breaks', (t) => {
  const text = userVolume('').replace('disk.size > 0', 'disk.size > 1 && disk.colour == "red"');
  const [problem] = problemsOf(text);
  t.is(problem?.code, 'disk_selector.invalid');
  t.is(problem?.path, 'provisioning.diskSelector.match');
  t.is(
    text.split('\n')[(problem?.line ?? 0) - 1]?.slice((problem?.column ?? 0) - 1, (problem?.column ?? 0) + 5),
    'colour',
  );
});

test('xfs settings are only for xfs', (t) => {
  t.deepEqual(
    codesOf(userVolume('filesystem: {projectQuotaSupport: true, xfs: {minAllocationGroupSize: 0}}')),
    [],
  );
  t.deepEqual(codesOf(userVolume('filesystem: {type: ext4, projectQuotaSupport: true, xfs: {}}')), [
    'filesystem.xfs_only',
    'filesystem.xfs_only',
  ]);
  t.deepEqual(codesOf(userVolume('filesystem: {xfs: {minAllocationGroupSize: -1}}')), ['size.negative']);
  using configuration = parse(userVolume('filesystem: {xfs: {minAllocationGroupSize: 128GiB}}'));
  t.is(configuration.all('UserVolumeConfig')[0]?.filesystem?.xfsMinAllocationGroupSize, 128n << 30n);
});

test('what the interface has and this version does not serve is named', (t) => {
  t.deepEqual(codesOf(userVolume('mount: {scrub: true}')), ['not_offered']);
  t.deepEqual(codesOf(userVolume('volumeType: tmpfs')), ['invalid_value']);
});

test('a directory takes a name and whether it is secure, and nothing that EPHEMERAL decides', (t) => {
  const start = 'apiVersion: v1alpha1\nkind: UserVolumeConfig\nname: cache\nvolumeType: directory\n';
  using configuration = parse(`${start}mount: {secure: false}\n`);
  t.like(configuration.all('UserVolumeConfig')[0], {
    id: 'u-cache',
    volumeType: 'directory',
    mount: { secure: false },
  });
  t.is(configuration.all('UserVolumeConfig')[0]?.filesystem, undefined);
  for (const block of ['provisioning: {}', 'filesystem: {}', 'encryption: {}', 'trim: {}'])
    t.deepEqual(codesOf(`${start}${block}`), ['volume.directory'], block);
  t.deepEqual(codesOf(`${start}mount: {disableAccessTime: false}`), ['volume.directory']);
});

test('btrfs is at least as large as its programs make it', (t) => {
  using configuration = parse(userVolume('filesystem: {type: btrfs}', 'maxSize: 1GiB'));
  t.is(configuration.all('UserVolumeConfig')[0]?.filesystem?.type, 'btrfs');
  t.is(configuration.all('UserVolumeConfig')[0]?.provisioning.minSize, 109n << 20n);
  t.deepEqual(codesOf(userVolume('filesystem: {type: btrfs}', 'minSize: 100MiB')), ['size.too_small']);
  t.deepEqual(codesOf(userVolume('filesystem: {type: btrfs}', 'maxSize: 100MiB')), ['size.min_gt_max']);
});

test('unknown fields, wrong types and empty values are reported where they are', (t) => {
  const text = userVolume('mount: {secure: "yes", noexec: true}\nfilesystem:\nencryption: []');
  t.deepEqual(
    problemsOf(text).map(({ code, path, line, column }) => `${code} ${path} ${line}:${column}`),
    [
      'wrong_type mount.secure 5:17',
      'unknown_field mount.noexec 5:24',
      'wrong_type filesystem 6:1',
      'wrong_type encryption 7:13',
    ],
  );
});
