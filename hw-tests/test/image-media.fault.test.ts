import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { grubMediumFiles } from '@nodecore/boot';
import { readPe, variableStore } from '@nodecore/efi';
import { diskImage, iso } from '@nodecore/image';
import type { MachineSpec } from '@nodecore/machine';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { runUntilOff } from './tiny-machine.ts';
import { grubPrograms, systemdBoot, tinyUki } from './tiny-system.ts';

/* Each takes half a minute on a busy computer, and the programs that judge images find most of it: the long campaign. */
const campaign = process.env['FAULT_CAMPAIGN'] === 'long' ? test.serial : test.serial.skip;

async function starts(t: ExecutionContext, spec: Partial<MachineSpec>, directory: string): Promise<string> {
  t.timeout(120_000);
  const { reasons, console } = await runUntilOff(spec, join(directory, 'machine'));
  t.deepEqual(reasons, ['guest-shutdown'], console.slice(-2000));
  t.regex(console, /init: .*test\.version=1\.14\.0\s/);
  return console;
}

async function tinyEsp() {
  const uki = await tinyUki('1.14.0');
  return { systemdBoot: await systemdBoot(), entries: [{ imageVersion: '1.14.0', sequence: 1, uki }] };
}

for (const kind of ['iso', 'usb'] as const)
  for (const firmware of ['uefi', 'bios'] as const)
    campaign(
      `an ISO image starts by ${firmware} as ${kind === 'iso' ? 'a CD' : 'a USB stick'}`,
      async (t) => {
        const directory = await temporaryDirectory(t);
        const file = join(directory, 'node.iso');
        const esp = await tinyEsp();
        const grub = {
          files: await grubMediumFiles({ entry: esp.entries[0]!, readSections: readPe }),
          programs: await grubPrograms(directory),
        };
        await iso({ recipe: 'media', version: 'v1.14.0', esp, grub }).writeTo(file);
        await starts(t, { firmware, boot: { kind, file } }, directory);
      },
    );

campaign('a disk image starts from a disk with sectors of 4096 bytes', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'node.raw');
  const image = diskImage({ recipe: 'media', esp: await tinyEsp(), sectorSize: 4096 });
  await image.writeTo(file);
  const disk = { driver: 'nvme', sectorSize: 4096, sizeBytes: image.size, serial: 'SYSTEM', file } as const;
  await starts(t, { disks: [disk] }, directory);
});

for (const chosen of [undefined, 'nodeos-1.14.0-1.efi@reset'])
  campaign(
    chosen === undefined
      ? 'an image with another profile is started by its first one'
      : 'the other profile of an image is started when somebody chooses it in the menu, once',
    async (t) => {
      const directory = await temporaryDirectory(t);
      const [file, store] = [join(directory, 'node.iso'), join(directory, 'store.fd')];
      const uki = await tinyUki('1.14.0', 'off', [], ['reset']);
      const entries = [{ imageVersion: '1.14.0', sequence: 1, uki }];
      const esp = { systemdBoot: await systemdBoot(), entries };
      await iso({ recipe: 'profiles', version: 'v1.14.0', esp }).writeTo(file);
      // As the menu does with the line that somebody chooses and keeps.
      const choice = {
        name: 'LoaderEntryOneShot',
        vendor: '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f',
        attributes: 7,
        value: Buffer.from(`${chosen}\0`, 'utf16le'),
      };
      const blank = await readFile('/usr/share/OVMF/OVMF_VARS_4M.fd');
      await writeFile(store, variableStore(blank, {}, chosen === undefined ? [] : [choice]));
      const console = await starts(
        t,
        { firmware: 'uefi', variableStore: { from: store }, boot: { kind: 'iso', file } },
        directory,
      );
      t.is(/test\.profile=(\w+)/.exec(console)?.[1], chosen === undefined ? undefined : 'reset');
    },
  );
