import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { partitions } from '@nodecore/block';
import { bootLoaderPath, entriesOf, parseEntryName } from '@nodecore/boot';
import {
  certificateList,
  createSigningIdentity,
  encodeLoadOption,
  guids,
  signPe,
  variableStore,
} from '@nodecore/efi';
import { diskImage } from '@nodecore/image';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { crashReportIn } from './crash-report-in.ts';
import { runUntilOff } from './tiny-machine.ts';
import { systemdBoot, type TinyEnd, tinyUki } from './tiny-system.ts';

/** systemd's boot loader interface. */
const loaderVendor = '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f';
const owner = '8be4df61-93ca-11d2-aa0d-00e098032b8c';

testWith(program('qemu-system-x86_64'), program('mdir'))(
  'releases that hang before any document is read, panic, or are refused by the firmware each lose their start; the good one comes back by itself and finds the panic, whatever a former system has left for the boot loader in the firmware',
  async (t) => {
    t.timeout(600_000);
    const directory = await temporaryDirectory(t);
    const signer = await createSigningIdentity('test');
    const list = certificateList(signer.certificate, owner);
    const store = join(directory, 'keys.fd');
    const blank = await readFile('/usr/share/OVMF/OVMF_VARS_4M.fd');
    const disk = join(directory, 'node.raw');
    const signed = async (version: string, end: TinyEnd) => signPe(await tinyUki(version, end), signer);
    const tries = { left: 1, done: 0 };
    const image = diskImage({
      recipe: 'a good release, a broken one and an unsigned one',
      esp: {
        systemdBoot: await signPe(await systemdBoot(), signer),
        entries: [
          { imageVersion: '1.14.0', sequence: 1, uki: await signed('1.14.0', 'off') },
          { imageVersion: '1.14.1', sequence: 2, tries, uki: await signed('1.14.1', 'panics') },
          { imageVersion: '1.14.2', sequence: 3, tries, uki: await tinyUki('1.14.2') },
          { imageVersion: '1.14.3', sequence: 4, tries, uki: await signed('1.14.3', 'hangs') },
        ],
      },
    });
    await image.writeTo(disk);
    const [efi] = (await partitions.read(disk))?.partitions ?? [];
    const option = encodeLoadOption({
      description: 'nodeos',
      file: {
        path: bootLoaderPath('amd64').replaceAll('/', '\\'),
        partition: {
          index: 1,
          partitionGuid: efi?.partitionGuid ?? '',
          startSector: (efi?.offset ?? 0n) / 512n,
          sectors: (efi?.size ?? 0n) / 512n,
        },
      },
    });
    const variable = { vendor: guids.global, attributes: 7 };
    const others = [
      { name: 'Boot0007', value: option, ...variable },
      { name: 'BootOrder', value: Buffer.from([7, 0]), ...variable },
      ...['Default', 'Preferred', 'OneShot', 'LastBooted'].map((name) => ({
        name: `LoaderEntry${name}`,
        value: Buffer.from('another-1.13.3.efi\0', 'utf16le'),
        ...variable,
        vendor: loaderVendor,
      })),
    ];
    await writeFile(store, variableStore(blank, { PK: [list], KEK: [list], db: [list] }, others));
    const { reasons, consoles, console } = await runUntilOff(
      {
        firmware: 'uefi-secure-boot',
        watchdog: 'reset',
        variableStore: { from: store },
        disks: [{ driver: 'virtio', sizeBytes: image.size, serial: 'SYSTEM', file: disk }],
      },
      join(directory, 'machine'),
    );
    t.deepEqual(
      reasons,
      ['guest-reset', 'guest-reset', 'guest-reset', 'guest-shutdown'],
      console.slice(-2000),
    );
    t.regex(
      consoles[0] ?? '',
      /init: \/dev\/watchdog0 bites when the start hangs for 2 s[\s\S]*the root is laid/,
    );
    t.notRegex(
      consoles[0] ?? '',
      /drivers are loaded|can not start/,
      'nothing but the watchdog has ended it',
    );
    t.regex(console, /init: .*test\.version=1\.14\.0\s/);
    t.regex(console, /starting Boot0007 "nodeos" from HD\(1,GPT,.*\\EFI\\systemd\\systemd-bootx64\.efi/u);
    const { reason, log } = (await crashReportIn(console, join(directory, 'pstore'))) ?? {};
    t.regex(
      reason ?? '',
      /^its kernel crashed: Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000100/u,
    );
    t.regex(log ?? '', /Comm: init/u);
    const listed = spawnSync('mdir', ['-i', `${disk}@@1M`, '-b', '::/EFI/Linux'], {
      encoding: 'utf8',
    }).stdout;
    const files = listed
      .trim()
      .split('\n')
      .map((path) => ({ name: path.replace(/^.*\//, ''), sizeBytes: 0 }));
    t.deepEqual(
      entriesOf(files, parseEntryName('nodeos-1.14.0-1.efi')).map(({ name, state, isBooted }) => [
        name,
        state,
        isBooted,
      ]),
      [
        ['nodeos-1.14.0-1.efi', 'good', true],
        ['nodeos-1.14.3-4+0-1.efi', 'bad', false],
        ['nodeos-1.14.2-3+0-1.efi', 'bad', false],
        ['nodeos-1.14.1-2+0-1.efi', 'bad', false],
      ],
    );
  },
);
