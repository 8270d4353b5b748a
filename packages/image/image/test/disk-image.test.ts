import { metaSizeBytes, metaTag, readMeta } from '@nodecore/meta';
import { program, testWith } from '@nodecore/testkit';
import { View } from '@nodecore/view';
import test from 'ava';

import { diskImage, gpt, partitionType } from '../src/index.ts';
import { expectedPartitions, mib, options, partitionsOf, systemdBoot, uki } from './example-disk.ts';
import { judge, judgeBytes, written } from './tools.ts';

testWith(
  program('sgdisk'),
  program('sfdisk'),
  program('fsck.vfat'),
  program('mdir'),
)('programs find no fault in the table, in the file system and in META', async (t) => {
  const image = diskImage(options);
  const path = await written(t, image);
  t.regex(judge('sgdisk', '-v', path), /No problems found/);
  t.deepEqual(partitionsOf(path, 512), expectedPartitions);
  const efi = await written(t, image.slice(mib, 513 * mib));
  judge('fsck.vfat', '-n', efi);
  const listed = judge('mdir', '-i', efi, '-/', '-b', '::').trim().split('\n');
  t.deepEqual(listed.toSorted(), [
    '::/EFI/',
    '::/EFI/BOOT/',
    '::/EFI/BOOT/BOOTX64.EFI',
    '::/EFI/Linux/',
    '::/EFI/Linux/nodeos-1.14.0~alpha.0-1.efi',
    '::/EFI/systemd/',
    '::/EFI/systemd/systemd-bootx64.efi',
    '::/loader/',
    '::/loader/loader.conf',
  ]);
  const entry = judgeBytes('mtype', '-i', efi, '::/EFI/Linux/nodeos-1.14.0~alpha.0-1.efi');
  t.true(entry.equals(await uki.bytes()));
  t.true(judgeBytes('mtype', '-i', efi, '::/EFI/BOOT/BOOTX64.EFI').equals(await systemdBoot.bytes()));
  const meta = await image.slice(513 * mib, 514 * mib).bytes();
  t.is(meta.length, metaSizeBytes);
  t.is(String(readMeta(meta).values.get(metaTag.network)), 'kind: DHCP');
});

test('without values META is blank', async (t) => {
  const { meta: _, ...rest } = options;
  t.is(
    readMeta(
      await diskImage(rest)
        .slice(513 * mib, 514 * mib)
        .bytes(),
    ).sequence,
    0n,
  );
});

async function digest(recipe: string): Promise<string> {
  return (
    await diskImage({ ...options, recipe })
      .slice(0, 2 * mib)
      .digest('sha256')
  ).toString('hex');
}

test('the same recipe is the same image, and another one has other identifiers', async (t) => {
  t.is(await digest('a'), await digest('a'));
  t.not(await digest('a'), await digest('b'));
});

test('a larger disk has the second table at its end, and a smaller one is refused', async (t) => {
  const sizeBytes = 2048 * mib;
  const image = diskImage({ ...options, sizeBytes });
  t.is(image.size, sizeBytes);
  t.is((await image.slice(sizeBytes - 512).bytes()).toString('latin1', 0, 8), 'EFI PART');
  t.throws(() => diskImage({ ...options, sizeBytes: 513 * mib }), { code: 'ERR_IMAGE_TOO_SMALL' });
});

test('a partition that is too small for its content, or a sector that is none, is refused', (t) => {
  const partition = {
    label: 'A',
    type: partitionType.linux,
    content: View.of(Buffer.alloc(10)),
    sizeBytes: 9,
  };
  t.throws(() => gpt({ recipe: '', partitions: [partition] }), { code: 'ERR_IMAGE_TOO_SMALL' });
  t.throws(() => gpt({ recipe: '', partitions: [], sectorSize: 513 as 512 }), { code: 'ERR_IMAGE_SECTOR' });
  const label = 'x'.repeat(37);
  t.throws(() => gpt({ recipe: '', partitions: [{ ...partition, label, sizeBytes: 10 }] }), {
    code: 'ERR_IMAGE_NAME',
  });
});
