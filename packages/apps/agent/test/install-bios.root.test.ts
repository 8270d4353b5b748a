import { randomUUID } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { partitions } from '@nodecore/block';
import { partitionType } from '@nodecore/image';
import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { View } from '@nodecore/view';
import type { ExecutionContext } from 'ava';

import { sampleGrub } from '../../../image/boot/test/grub/sample-grub.ts';
import { samplePe } from '../../../image/efi/test/sample-pe.ts';
import { assembleUki } from '../../../image/uki/src/index.ts';
import { cutBefore, installing, PowerCut } from './installing.ts';

const mib = 1 << 20;
const sizeBytes = 700 * mib;
const grub = sampleGrub();
const more = { 'grub-core.img': grub.core, 'grub-boot.img': grub.boot };

async function release(): Promise<Buffer> {
  const linux = View.of(samplePe());
  const initrd = View.of(Buffer.alloc(5000, 'archive'));
  const sections = { osrel: 'ID=nodeos\n', cmdline: 'console=ttyS0', uname: '6.1.0', linux, initrd };
  return await (await assembleUki({ stub: linux, sections })).bytes();
}

async function bytesOf(path: string, start: number, size: number): Promise<Buffer> {
  await using file = await open(path);
  const bytes = Buffer.alloc(size);
  await file.read(bytes, 0, size, start);
  return bytes;
}

/** That a BIOS finds GRUB from the first sector on, and GRUB the release. */
async function assertStarts(t: ExecutionContext, path: string, uki: Buffer): Promise<void> {
  t.regex(await output(['sgdisk', '--verify', path]), /No problems found/u);
  const table = await partitions.read(path);
  const [boot, bios] = table?.partitions ?? [];
  const sector = await bytesOf(path, 0, 512);
  t.is(sector.readBigUInt64LE(0x5c) * 512n, bios?.offset ?? 0n);
  t.is(sector.readUInt16LE(510), 0xaa55);
  const core = await bytesOf(path, Number(bios?.offset), grub.core.length - 2048);
  t.is(core.toString('latin1', 0, 8), 'corecore');
  t.is(core.readBigUInt64LE(0x1f4) * 512n, (bios?.offset ?? 0n) + 512n);
  await output(['fsck.vfat', '-n', boot?.devPath ?? '']);
  const copy = join(await temporaryDirectory(t), 'copy');
  await output(['mcopy', '-n', '-o', '-i', boot?.devPath ?? '', '::nodeos/a.efi', copy]);
  t.deepEqual(await readFile(copy), uki);
}

testWith(
  root,
  program('sgdisk'),
  program('fsck.vfat'),
  program('mcopy'),
)('a machine with a BIOS gets GRUB, whose code stays when the node makes more partitions', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes });
  const uki = await release();
  const { run } = await installing(t, { facts: { devPath: path, size: BigInt(sizeBytes) }, uki, more });
  await run({}, { isBios: true });
  const table = await partitions.read(path);
  t.deepEqual(
    table?.partitions.map(({ label, attributes }) => [label, attributes]),
    [
      ['BOOT', 0n],
      ['BIOS', 0n],
      ['META', 0n],
    ],
  );
  t.regex(await output(['sgdisk', '--info=2', path]), /BIOS boot partition/u);
  await assertStarts(t, path, uki);
  const partition = { label: 'STATE', typeGuid: partitionType.linux, partitionGuid: randomUUID() };
  const options = { sequence: undefined, sizeBytes: 100n << 20n, underConstruction: false };
  await partitions.add(path, { ...partition, ...options });
  await assertStarts(t, path, uki);
});

testWith(
  root,
  program('sgdisk'),
  program('fsck.vfat'),
  program('mcopy'),
)(
  'after a power cut at any step of an installation for a BIOS there is no system disk, and the next one needs no consent; or it starts',
  async (t) => {
    const { path } = await loopDevice(t, { sizeBytes });
    const uki = await release();
    const { run } = await installing(t, { facts: { devPath: path, size: BigInt(sizeBytes) }, uki, more });
    const outcomes: string[] = [];
    for (let at = 0; ; at++) {
      const { disks } = cutBefore(at);
      const isWhole = await run({ wipe: outcomes.at(-1) === 'starts' }, { disks, isBios: true }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof PowerCut) return false;
          throw error;
        },
      );
      const table = await partitions.read(path).catch(() => undefined);
      const isSystem = table?.partitions.some(({ label }) => label === 'META') ?? false;
      if (isSystem) await assertStarts(t, path, uki);
      outcomes.push(isSystem ? 'starts' : 'none');
      if (isWhole) break;
    }
    t.is(outcomes[0], 'none');
    t.true(outcomes.filter((outcome) => outcome === 'none').length >= 6, outcomes.join(' '));
    t.is(outcomes.at(-1), 'starts');
  },
);

testWith(root)(
  'an image without GRUB is refused on a machine with a BIOS, and nothing is written',
  async (t) => {
    const { path } = await loopDevice(t, { sizeBytes });
    const { run } = await installing(t, { facts: { devPath: path, size: BigInt(sizeBytes) } });
    const error = await t.throwsAsync(run({}, { isBios: true }), { code: 'ERR_UPGRADE_IMAGE' });
    t.regex(error.message, /lacks grub-core\.img, grub-boot\.img/u);
    t.is(await partitions.read(path), undefined);
  },
);
