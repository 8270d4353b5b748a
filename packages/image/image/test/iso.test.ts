import { program, testWith } from '@nodecore/testkit';
import { View } from '@nodecore/view';

import { iso } from '../src/index.ts';
import { judge, judgeBytes, written } from './tools.ts';

const mib = 1 << 20;

testWith(
  program('xorriso'),
  program('sgdisk'),
  program('fsck.vfat'),
)('programs find a bootable CD and a bootable disk in one image', async (t) => {
  const uki = View.of(Buffer.alloc(2_000_001, 'kernel'));
  const systemdBoot = View.of(Buffer.alloc(100_001, 'boot loader'));
  const image = iso({
    recipe: 'a test',
    version: 'v1.14.0-alpha.0',
    esp: { systemdBoot, entries: [{ imageVersion: '1.14.0~alpha.0', sequence: 1, uki }] },
  });
  const path = await written(t, image);
  const said = judge('xorriso', '-indev', path, '-report_el_torito', 'plain', '-pvd_info');
  t.regex(said, /Volume id\s*: 'OS_V1_14_0_ALPHA_0'/i);
  t.regex(said, /El Torito boot img :\s+1\s+UEFI\s+y\s+none\s.*\s512$/m, said);
  t.regex(judge('sgdisk', '-v', path), /No problems found/);
  const efi = await written(t, image.slice(mib, image.size - mib));
  judge('fsck.vfat', '-n', efi);
  const entry = judgeBytes('mtype', '-i', efi, '::/EFI/Linux/nodeos-1.14.0~alpha.0-1.efi');
  t.true(entry.equals(await uki.bytes()));
  t.is(judgeBytes('mtype', '-i', efi, '::/loader/random-seed').length, 32);
});
