import { loopDevice, program, root, testWith } from '@nodecore/testkit';

import { diskImage } from '../src/index.ts';
import { expectedPartitions, mib, options, partitionsOf, uki } from './example-disk.ts';
import { judge, judgeBytes, written } from './tools.ts';

for (const sectorSize of [512, 4096] as const) {
  testWith(
    root,
    program('sgdisk'),
    program('sfdisk'),
    program('fsck.vfat'),
    program('mtype'),
  )(`programs find no fault on a device with sectors of ${sectorSize} bytes`, async (t) => {
    const image = diskImage({ ...options, sectorSize });
    const disk = await loopDevice(t, { file: await written(t, image), sectorSize });
    t.regex(judge('sgdisk', '-v', disk.path), /No problems found/);
    t.deepEqual(partitionsOf(disk.path, sectorSize), expectedPartitions);
    const file = await written(t, image.slice(mib, 513 * mib));
    const efi = await loopDevice(t, { file, sectorSize });
    judge('fsck.vfat', '-n', efi.path);
    const entry = judgeBytes('mtype', '-i', efi.path, '::/EFI/Linux/nodeos-1.14.0~alpha.0-1.efi');
    t.true(entry.equals(await uki.bytes()));
  });
}
