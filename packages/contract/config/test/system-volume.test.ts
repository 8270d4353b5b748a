import test from 'ava';

import { parse } from '@nodecore/config';
import { codesOf, problemsOf, systemVolume } from './fixtures/problems.ts';

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
  const [volume] = configuration.all('VolumeConfig');
  t.like(volume?.provisioning, { minSize: 2n << 30n, grow: false, maxSize: { digits: 80n, decimals: 0 } });
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
  t.regex(
    problemsOf(systemVolume('STATE', keys('{static: {passphrase: x}}')))[0]?.message ?? '',
    /consent to that with allowStaticState: true/,
  );
  t.deepEqual(codesOf(systemVolume('STATE', keys('{nodeID: {}, lockToState: true}'))), [
    'key.lock_to_state_on_state',
  ]);
  t.deepEqual(codesOf(systemVolume('EPHEMERAL', keys('{static: {passphrase: x}}'))), []);
});

test('the names of system volumes are fixed', (t) => {
  for (const name of ['STATE', 'EPHEMERAL', 'IMAGECACHE', 'ETCD', 'CRI', 'KUBELET', 'LOG'])
    t.deepEqual(codesOf(systemVolume(name)), [], name);
  for (const name of ['EPHEMERAl', 'META', 'data'])
    t.deepEqual(codesOf(systemVolume(name)), ['invalid_value']);
});

test('data of the key-value store, of runtimes and logs lie in directories until they are given a partition', (t) => {
  for (const name of ['ETCD', 'CRI', 'KUBELET', 'LOG']) {
    using directory = parse(systemVolume(name));
    t.is(directory.all('VolumeConfig')[0]?.volumeType, 'directory');
    using partition = parse(systemVolume(name, 'provisioning: {maxSize: 10GiB}\nmount: {secure: false}'));
    t.like(partition.all('VolumeConfig')[0], {
      volumeType: 'partition',
      provisioning: { minSize: 2n << 30n, grow: false },
      mount: { secure: false },
    });
    const lost = systemVolume(name, `mount: {}\nfilesystem: {}\ntrim: {}\n${nodeId}`);
    t.deepEqual(
      codesOf(lost),
      Array.from({ length: 4 }, () => 'volume.directory'),
      name,
    );
  }
});

function imageCache(fields: string): unknown {
  using configuration = parse(systemVolume('IMAGECACHE', fields));
  const { provisioning, filesystem } = configuration.all('VolumeConfig')[0] ?? {};
  return [provisioning?.minSize, provisioning?.maxSize?.text, filesystem?.type];
}

test('an image cache has 500 MiB to 1 GiB unless its document says otherwise', (t) => {
  t.deepEqual(imageCache(''), [500n << 20n, '1GiB', 'ext4']);
  t.deepEqual(imageCache('provisioning: {minSize: 3GiB}'), [3n << 30n, `${3n << 30n}`, 'ext4']);
  t.deepEqual(imageCache('provisioning: {maxSize: -10%}'), [500n << 20n, '-10%', 'ext4']);
  t.deepEqual(codesOf(systemVolume('IMAGECACHE', 'mount: {}\nfilesystem: {}')), [
    'image_cache.fixed',
    'image_cache.fixed',
  ]);
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

const locked = (consent: string): string =>
  `encryption: {provider: luks2, keys: [{static: {passphrase: x}}]${consent}}`;

test('STATE takes a passphrase with the consent of its author, who is warned', (t) => {
  using configuration = parse(systemVolume('STATE', locked(', allowStaticState: true')));
  const [key] = configuration.systemVolume('STATE').encryption?.keys ?? [];
  t.like(key, { kind: 'static', inClear: true });
  t.true(configuration.warnings.some(({ code }) => code === 'key.static_on_state'));
  t.deepEqual(codesOf(systemVolume('STATE', locked(', allowStaticState: false'))), ['key.static_on_state']);
  t.deepEqual(codesOf(systemVolume('EPHEMERAL', locked(', allowStaticState: true'))), [
    'encryption.consent_elsewhere',
  ]);
  using elsewhere = parse(systemVolume('EPHEMERAL', locked('')));
  const [other] = elsewhere.systemVolume('EPHEMERAL').encryption?.keys ?? [];
  t.false(Object.hasOwn(other ?? {}, 'inClear'));
});
