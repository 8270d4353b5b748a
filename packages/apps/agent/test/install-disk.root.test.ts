import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { partitions } from '@nodecore/block';
import { efiPartitionSizeBytes } from '@nodecore/boot';
import { metaTag, readMeta } from '@nodecore/meta';
import { codeOf } from '@nodecore/sys';
import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { View } from '@nodecore/view';
import type { ExecutionContext } from 'ava';

import { compareView, writeView } from '../src/installs/write-view.ts';
import { type PulledInstaller, pullInstaller, type PullOptions } from '../src/upgrades/pull-installer.ts';
import { firmwareWith } from './firmware.ts';
import { cutBefore, installing, PowerCut } from './installing.ts';

const mib = 1 << 20;
const sizeBytes = 700 * mib;

async function target(t: ExecutionContext, sectorSize: 512 | 4096 = 512) {
  const device = await loopDevice(t, { sizeBytes, sectorSize });
  const facts = { devPath: device.path, size: BigInt(sizeBytes), sectorSize };
  return { path: device.path, facts };
}

/** What is on an EFI partition, by programs that are not ours. */
async function filesOf(t: ExecutionContext, path: string): Promise<(name: string) => Promise<Buffer>> {
  await output(['fsck.vfat', '-n', path]);
  const directory = await temporaryDirectory(t);
  return async (name) => {
    const copy = join(directory, 'copy');
    await output(['mcopy', '-n', '-o', '-i', path, `::${name}`, copy]);
    return await readFile(copy);
  };
}

async function metaOf(path: string) {
  await using file = await open(path);
  const bytes = Buffer.alloc(mib);
  await file.read(bytes, 0, mib, 0);
  return readMeta(bytes);
}

for (const sectorSize of [512, 4096] as const)
  testWith(
    root,
    program('sgdisk'),
    program('fsck.vfat'),
    program('mcopy'),
  )(
    `a disk with sectors of ${sectorSize} bytes gets a table, a boot partition and META that other programs find whole`,
    async (t) => {
      const { path, facts } = await target(t, sectorSize);
      const { run, uki, events } = await installing(t, { facts });
      const firmware = await firmwareWith(t, []);
      await run(
        {},
        {
          tellFirmware: (place) => firmware.tell(place),
          embeddedMeta: async () => new Map([[12, Buffer.from('of the medium')]]),
        },
      );
      t.regex(await output(['sgdisk', '--verify', path]), /No problems found/u);
      const table = await partitions.read(path);
      t.deepEqual(
        table?.partitions.map(({ label, size, attributes }) => [label, Number(size), attributes]),
        [
          ['EFI', efiPartitionSizeBytes(uki.length), 0n],
          ['META', mib, 0n],
        ],
      );
      const info = await output(['sgdisk', '--info=1', path]);
      t.regex(info, /EFI system partition/u);
      const option = (await firmware.option('Boot0000'))?.file;
      const { index, partitionGuid, startSector = 0n, sectors = 0n } = option?.partition ?? {};
      t.is(option?.path, '\\EFI\\systemd\\systemd-bootx64.efi');
      t.is(index, 1);
      t.regex(info, new RegExp(`unique GUID: ${partitionGuid}\\s`, 'iu'));
      t.regex(info, new RegExp(`First sector: ${startSector} [^]*Partition size: ${sectors} sectors`, 'u'));
      const file = await filesOf(t, `${path}p1`);
      t.deepEqual(await file('EFI/Linux/nodeos-1.14.1-1.efi'), uki);
      t.is((await file('EFI/BOOT/BOOTX64.EFI')).toString(), 'loader');
      t.regex((await file('loader/loader.conf')).toString(), /reboot-on-error yes/u);
      t.is((await file('loader/random-seed')).length, 32);
      const { values } = await metaOf(`${path}p2`);
      t.is(Buffer.from(values.get(12) ?? []).toString(), 'of the medium');
      t.like(JSON.parse(Buffer.from(values.get(metaTag.bootRecord) ?? []).toString()), {
        sequence: 1,
        entries: [{ imageVersion: '1.14.1', sequence: 1, sizeBytes: uki.length }],
      });
      t.deepEqual(
        [...new Set(events.map(({ phase }) => phase))],
        ['pull', 'verify', 'space', 'write', 'prove', 'switch'],
      );
    },
  );

testWith(
  root,
  program('fsck.vfat'),
  program('mcopy'),
)(
  'after a power cut at any step the disk is no system disk, and the next installation goes through without consent; or it is whole',
  async (t) => {
    const { path, facts } = await target(t);
    const { run, uki } = await installing(t, { facts });
    const outcomes: string[] = [];
    for (const at of [0, 1, 1, 1, 2, Infinity]) {
      const { disks } = cutBefore(at);
      let isCut = false;
      await run({ wipe: at === Infinity }, { disks }).catch((error: unknown) => {
        if (!(error instanceof PowerCut)) throw error;
        isCut = true;
      });
      const table = await partitions.read(path).catch(() => undefined);
      const isSystem = table?.partitions.some(({ label }) => label === 'META') ?? false;
      const cut = isSystem ? 'system' : 'none';
      outcomes.push(isCut ? cut : 'whole');
      if (isSystem) {
        t.deepEqual(
          await (
            await filesOf(t, `${path}p1`)
          )('EFI/Linux/nodeos-1.14.1-1.efi'),
          uki,
          `step ${at}`,
        );
      }
    }
    // Before the table, the partition, its content, META, and the end of the marks; then with consent over what is there.
    t.deepEqual(outcomes, ['none', 'none', 'none', 'none', 'system', 'whole']);
  },
);

testWith(root)(
  'a write of the boot partition that is cut off, and one the disk forgets, make no system disk',
  async (t) => {
    const { path, facts } = await target(t);
    const { run } = await installing(t, { facts });
    const { disks } = cutBefore(Infinity);
    const cut = new AbortController();
    const torn = {
      ...disks,
      write: async (...words: Parameters<typeof disks.write>) => {
        const [place, partition, view, options] = words;
        await disks.write(place, partition, view, {
          ...options,
          signal: cut.signal,
          progress: () => cut.abort(new PowerCut('in the middle')),
        });
      },
    };
    await t.throwsAsync(run({}, { disks: torn }), { instanceOf: PowerCut });
    const forgets = {
      ...disks,
      write: async (...words: Parameters<typeof disks.write>) => {
        await disks.write(...words);
        await using file = await open(words[1].devPath, 'r+');
        await file.write(Buffer.from('x'), 0, 1, 300_000);
      },
    };
    const error = await t.throwsAsync(run({}, { disks: forgets }));
    t.is(codeOf(error), 'ERR_INSTALL_WRITE', error?.message);
    t.deepEqual(
      (await partitions.read(path))?.partitions.map(({ label }) => label),
      ['EFI'],
    );
    await run();
    t.deepEqual(
      (await partitions.read(path))?.partitions.map(({ label }) => label),
      ['EFI', 'META'],
    );
  },
);

testWith(
  root,
  program('mkfs.ext4'),
  program('sgdisk'),
)("a disk with somebody's data is refused without consent, unread, and installed with it", async (t) => {
  const { path, facts } = await target(t);
  const { run, events } = await installing(t, { facts });
  await output(['mkfs.ext4', '-q', path]);
  const refused = async (): Promise<void> => {
    const error = await t.throwsAsync(run());
    t.is(codeOf(error), 'ERR_INSTALL_NOT_EMPTY', error?.message);
    t.deepEqual(events, [], 'nothing is pulled for it');
  };
  await refused();
  await output(['fsck.ext4', '-fn', path]);
  await output(['wipefs', '--all', path]);
  await output(['sgdisk', '--new=1:0:+10M', '--change-name=1:EFI', '--typecode=1:ef00', path]);
  await refused();
  t.is((await partitions.read(path))?.partitions[0]?.label, 'EFI');
  await run({ wipe: true });
  t.deepEqual(
    (await partitions.read(path))?.partitions.map(({ label }) => label),
    ['EFI', 'META'],
  );
});

testWith(root, program('mkfs.ext4'))(
  'a disk that somebody has put data on while the release was pulled is left alone',
  async (t) => {
    const { path, facts } = await target(t);
    const { run } = await installing(t, { facts });
    const pull = async (options: PullOptions): Promise<PulledInstaller> => {
      const found = await pullInstaller(options);
      await output(['mkfs.ext4', '-q', path]);
      return found;
    };
    const error = await t.throwsAsync(run({}, { pull }));
    t.is(codeOf(error), 'ERR_INSTALL_NOT_EMPTY', error?.message);
    await output(['fsck.ext4', '-fn', path]);
  },
);

testWith(root)('what is not to be trusted, and what has no room, changes no byte of the disk', async (t) => {
  const { path, facts } = await target(t);
  const { run, reference } = await installing(t, { facts });
  const refusals: readonly (readonly [string, () => Promise<void>])[] = [
    ['ERR_UPGRADE_SIGNATURE', () => run({}, { keys: [] })],
    ['ERR_UPGRADE_IMAGE', () => run({ expectedDigest: `sha256:${'0'.repeat(64)}` })],
    ['ERR_UPGRADE_VERSION', () => run({}, { architecture: 'arm64' })],
    ['ERR_INSTALL_REQUEST', () => run({ image: '' })],
    ['ERR_INSTALL_REQUEST', () => run({ disk: '' })],
    ['ERR_INSTALL_DISK', () => run({ disk: '/dev/none' })],
    ['ERR_OCI_REFERENCE', () => run({ image: 'no reference' })],
  ];
  for (const [code, refused] of refusals) t.is(codeOf(await t.throwsAsync(refused())), code);
  const small = await installing(t, { facts: { ...facts, size: 600n << 20n } });
  t.is(codeOf(await t.throwsAsync(small.run())), 'ERR_INSTALL_SPACE');
  await run({ dryRun: true });
  t.is(await partitions.read(path), undefined, reference);
});

testWith(root)('what is compared comes from the disk, also while somebody else has it open', async (t) => {
  const device = await loopDevice(t, { sizeBytes: 4 * mib });
  await using _other = await open(device.path, 'r');
  const place = { path: device.path, offset: 0 };
  const view = View.of(Buffer.alloc(mib, 'what was written'));
  await writeView(place, view, { progress: () => {} });
  await compareView(place, view);
  await using backing = await open(device.file, 'r+');
  await backing.write('another', 70_000);
  await backing.sync();
  await t.throwsAsync(compareView(place, view), { code: 'ERR_INSTALL_WRITE' });
});
