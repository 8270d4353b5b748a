import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { entriesOf, parseEntryName } from '@nodecore/boot';
import { certificateList, createSigningIdentity, signPe, variableStore } from '@nodecore/efi';
import { diskImage } from '@nodecore/image';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { runUntilOff } from './tiny-machine.ts';
import { systemdBoot, tinyUki } from './tiny-system.ts';

const owner = '8be4df61-93ca-11d2-aa0d-00e098032b8c';

testWith(program('qemu-system-x86_64'), program('mdir'))(
  'a release that panics and one that the firmware refuses each lose their start, and the good one comes back by itself',
  async (t) => {
    t.timeout(170_000);
    const directory = await temporaryDirectory(t);
    const signer = await createSigningIdentity('test');
    const list = certificateList(signer.certificate, owner);
    const store = join(directory, 'keys.fd');
    const blank = await readFile('/usr/share/OVMF/OVMF_VARS_4M.fd');
    await writeFile(store, variableStore(blank, { PK: [list], KEK: [list], db: [list] }));
    const disk = join(directory, 'node.raw');
    const image = diskImage({
      recipe: 'a good release, a broken one and an unsigned one',
      esp: {
        systemdBoot: await signPe(await systemdBoot(), signer),
        entries: [
          { imageVersion: '1.14.0', sequence: 1, uki: await signPe(await tinyUki('1.14.0'), signer) },
          {
            imageVersion: '1.14.1',
            sequence: 2,
            tries: { left: 1, done: 0 },
            uki: await signPe(await tinyUki('1.14.1', { isBroken: true }), signer),
          },
          { imageVersion: '1.14.2', sequence: 3, tries: { left: 1, done: 0 }, uki: await tinyUki('1.14.2') },
        ],
      },
    });
    await image.writeTo(disk);
    const { reasons, console } = await runUntilOff(
      {
        firmware: 'uefi-secure-boot',
        variableStore: { from: store },
        disks: [{ driver: 'virtio', sizeBytes: image.size, serial: 'SYSTEM', file: disk }],
      },
      join(directory, 'machine'),
    );
    t.deepEqual(reasons, ['guest-reset', 'guest-reset', 'guest-shutdown'], console.slice(-2000));
    t.regex(console, /init: .*test\.version=1\.14\.0\s/);
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
        ['nodeos-1.14.2-3+0-1.efi', 'bad', false],
        ['nodeos-1.14.1-2+0-1.efi', 'bad', false],
      ],
    );
  },
);
