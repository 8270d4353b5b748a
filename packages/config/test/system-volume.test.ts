import test from 'ava';

import { parse } from '@nodecore/config';
import { codesOf, systemVolume } from './fixtures/problems.ts';

const keys = (entry: string): string => `encryption: {provider: luks2, keys: [${entry}]}`;
const nodeId = keys('{nodeID: {}}');

test('secure is on for EPHEMERAL, with a document and without', (t) => {
  using without = parse(systemVolume('STATE'));
  using withOther = parse(systemVolume('EPHEMERAL', nodeId));
  using off = parse(systemVolume('EPHEMERAL', 'mount: {secure: false}'));
  t.true(without.systemVolume('EPHEMERAL').mount.secure);
  t.true(withOther.systemVolume('EPHEMERAL').mount.secure);
  t.false(off.systemVolume('EPHEMERAL').mount.secure);
});

test('EPHEMERAL grows from 2 GiB on the system disk unless its document says otherwise', (t) => {
  using configuration = parse(systemVolume('EPHEMERAL', 'provisioning: {maxSize: 80%, grow: false}'));
  const [volume] = configuration.systemVolumes;
  t.like(volume?.provisioning, { minSize: 2n << 30n, grow: false, maxSize: { basisPoints: 8000 } });
  t.is(volume?.provisioning.diskSelector, undefined);
  t.deepEqual(configuration.systemVolume('STATE').provisioning, {
    minSize: 100n << 20n,
    maxSize: { kind: 'bytes', bytes: 100n << 20n, negative: false, text: '100MiB' },
    grow: false,
  });
});

test('STATE takes no provisioning, no mount block and no key that is stored beside it', (t) => {
  t.deepEqual(codesOf(systemVolume('STATE', nodeId)), []);
  t.deepEqual(codesOf(systemVolume('STATE', 'provisioning: {grow: true}\nmount: {secure: false}')), [
    'state.fixed',
    'state.fixed',
  ]);
  t.deepEqual(codesOf(systemVolume('STATE', keys('{static: {passphrase: x}}'))), ['key.static_on_state']);
  t.deepEqual(codesOf(systemVolume('STATE', keys('{nodeID: {}, lockToState: true}'))), [
    'key.lock_to_state_on_state',
  ]);
  t.deepEqual(codesOf(systemVolume('EPHEMERAL', keys('{static: {passphrase: x}}'))), []);
});

test('only STATE and EPHEMERAL are served, others are told apart from typing errors', (t) => {
  for (const name of ['ETCD', 'IMAGECACHE', 'LOG'])
    t.deepEqual(codesOf(systemVolume(name)), ['volume.not_offered']);
  t.deepEqual(codesOf(systemVolume('EPHEMERAl')), ['invalid_value']);
});

test('a system volume has a fixed filesystem', (t) => {
  t.deepEqual(codesOf(systemVolume('EPHEMERAL', 'filesystem: {type: ext4}')), ['unknown_field']);
  using configuration = parse(systemVolume('EPHEMERAL', 'filesystem: {xfs: {minAllocationGroupSize: 0}}'));
  t.is(configuration.systemVolume('EPHEMERAL').filesystem.xfsMinAllocationGroupSize, 0n);
});

test('sizes of a system volume obey the same rules', (t) => {
  t.deepEqual(codesOf(systemVolume('EPHEMERAL', 'provisioning: {maxSize: 1GiB}')), ['size.min_gt_max']);
  t.deepEqual(codesOf(systemVolume('EPHEMERAL', 'provisioning: {minSize: 1GiB, maxSize: 1GiB}')), []);
});
