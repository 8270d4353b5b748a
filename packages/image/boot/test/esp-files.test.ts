import { View } from '@nodecore/view';
import test from 'ava';

import { efiPartitionSizeBytes, espFiles, loaderConf } from '../src/index.ts';

const loader = View.of(Buffer.from('loader'));
const entries = [{ imageVersion: '1.14.0', sequence: 1, uki: View.of(Buffer.from('uki')) }];

test('a partition has the loader twice, its settings, and the entries', (t) => {
  t.deepEqual(
    espFiles({ systemdBoot: loader, entries }).map(({ path }) => path),
    [
      '/EFI/BOOT/BOOTX64.EFI',
      '/EFI/systemd/systemd-bootx64.efi',
      '/loader/loader.conf',
      '/EFI/Linux/nodeos-1.14.0-1.efi',
    ],
  );
  t.is(espFiles({ systemdBoot: loader, entries, architecture: 'arm64' })[0]?.path, '/EFI/BOOT/BOOTAA64.EFI');
});

test('with Secure Boot the keys lie where the loader enrols them, and a read-only medium has a seed', async (t) => {
  const [PK, KEK, db] = ['PK', 'KEK', 'db'].map((name) => Buffer.from(name));
  t.truthy(PK && KEK && db);
  const files = espFiles({
    systemdBoot: loader,
    entries,
    isReadOnly: true,
    secureBoot: {
      enrollment: 'if-safe',
      keys: { PK: PK ?? Buffer.of(), KEK: KEK ?? Buffer.of(), db: db ?? Buffer.of() },
      certificate: Buffer.from('certificate'),
    },
  });
  const content = async (path: string): Promise<string | undefined> =>
    (await files.find((file) => file.path === path)?.content.bytes())?.toString();
  t.is(await content('/loader/keys/auto/KEK.auth'), 'KEK');
  t.is(await content('/EFI/keys/uki-signing-cert.der'), 'certificate');
  t.is(await content('/loader/random-seed'), '\0'.repeat(32));
  t.regex((await content('/loader/loader.conf')) ?? '', /^secure-boot-enroll if-safe$/m);
});

test('nobody edits at the console, and a refused entry does not stop the machine', (t) => {
  t.is(loaderConf(), 'timeout 0\neditor no\nauto-firmware no\nreboot-on-error yes\nsecure-boot-enroll off\n');
});

test('the partition has room for two entries, in whole MiB and never under 512', (t) => {
  const mib = 1 << 20;
  t.is(efiPartitionSizeBytes(0), 512 * mib);
  t.is(efiPartitionSizeBytes(150 * mib), 512 * mib);
  t.is(efiPartitionSizeBytes(300 * mib), (660 + 64) * mib);
  t.is(efiPartitionSizeBytes(300 * mib + 1), (660 + 64 + 1) * mib);
});
