import { grubFiles, grubMediumFiles } from '@nodecore/boot';
import { program, testWith } from '@nodecore/testkit';
import test from 'ava';

import { exampleView, readExample } from '../../boot/test/grub/example-image.ts';
import { sampleGrub } from '../../boot/test/grub/sample-grub.ts';
import { diskImage, iso, partitionType } from '../src/index.ts';
import { mib, options, partitionsOf, systemdBoot } from './example-disk.ts';
import { judge, judgeBytes, written } from './tools.ts';

const programs = sampleGrub();
const entry = { imageVersion: '1.14.0', sequence: 1, uki: exampleView('1.14.0-1') };

testWith(
  program('sgdisk'),
  program('sfdisk'),
  program('fsck.vfat'),
  program('mdir'),
  program('mtype'),
)('programs find no fault in a disk for a BIOS and UEFI, and GRUB where the first sector says', async (t) => {
  const image = diskImage({
    ...options,
    grub: { files: await grubFiles({ entries: [entry], readSections: readExample }), programs },
  });
  const path = await written(t, image);
  t.regex(judge('sgdisk', '-v', path), /No problems found/);
  t.deepEqual(partitionsOf(path, 512), [
    ['EFI', 1, 512, partitionType.efi],
    ['BIOS', 513, 1, partitionType.bios],
    ['BOOT', 514, 512, partitionType.linux],
    ['META', 1026, 1, partitionType.linux],
  ]);
  const boot = await written(t, image.slice(514 * mib, 1026 * mib));
  judge('fsck.vfat', '-n', boot);
  t.regex(judge('mdir', '-i', boot, '::'), /Volume in drive : is BOOT/u);
  const listed = judge('mdir', '-i', boot, '-/', '-b', '::').trim().split('\n');
  t.deepEqual(listed.filter((name) => !name.endsWith('/')).toSorted(), [
    '::/grub/grub.cfg',
    '::/grub/grubenv',
    '::/nodeos/a.cfg',
    '::/nodeos/a.efi',
  ]);
  t.true(judgeBytes('mtype', '-i', boot, '::/nodeos/a.efi').equals(await entry.uki.bytes()));
  t.is(judgeBytes('mtype', '-i', boot, '::/grub/grubenv').length, 1024);
  const sector = await image.slice(0, 512).bytes();
  const start = Number(sector.readBigUInt64LE(0x5c)) * 512;
  t.is(start, 513 * mib);
  t.is((await image.slice(start, start + 4).bytes()).toString(), 'core');
});

test('a disk for a BIOS alone has no EFI partition, and there is none with sectors of 4096 bytes', async (t) => {
  const { esp: _, ...rest } = options;
  const grub = { files: await grubFiles({ entries: [entry], readSections: readExample }), programs };
  const image = diskImage({ ...rest, grub });
  t.is(Number((await image.slice(0, 512).bytes()).readBigUInt64LE(0x5c)) * 512, mib);
  t.throws(() => diskImage({ ...rest, grub, sectorSize: 4096 }), { code: 'ERR_IMAGE_SECTOR' });
});

testWith(
  program('xorriso'),
  program('sgdisk'),
  program('fsck.vfat'),
)('programs find a CD that a BIOS and UEFI start, and a disk, in one image', async (t) => {
  const image = iso({
    recipe: 'a test',
    version: 'v1.14.0',
    esp: { systemdBoot, entries: [entry] },
    grub: { files: await grubMediumFiles({ entry, readSections: readExample }), programs },
  });
  const path = await written(t, image);
  const said = judge('xorriso', '-indev', path, '-report_el_torito', 'plain');
  t.regex(said, /El Torito boot img :\s+1\s+BIOS\s+y\s+none\s.*\s4\s+32$/m, said);
  t.regex(said, /El Torito boot img :\s+2\s+UEFI\s+y\s+none\s/m, said);
  t.regex(judge('sgdisk', '-v', path), /No problems found/);
  const partition = await written(t, image.slice(mib, image.size - mib));
  judge('fsck.vfat', '-n', partition);
  t.regex(
    judgeBytes('mtype', '-i', partition, '::/nodeos/a.cfg').toString(),
    /^loopback uki_a \/EFI\/Linux\/nodeos-1\.14\.0-1\.efi$/mu,
  );
  const sector = await image.slice(0, 512).bytes();
  t.is(Number(sector.readBigUInt64LE(0x5c)) * 512, 66 * 1024);
  t.is(sector.readUInt16LE(510), 0xaa55);
});
