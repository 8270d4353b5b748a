import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { BootPartition, grubFiles, grubMediumFiles, slotFiles } from '@nodecore/boot';
import { readPe } from '@nodecore/efi';
import { diskImage, iso } from '@nodecore/image';
import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { runUntilOff } from './tiny-machine.ts';
import { grubPrograms, systemdBoot, tinyUki } from './tiny-system.ts';

const mib = 1 << 20;
/** What somebody may want a kernel to be told, and GRUB would take for its own. */
const words = ['a;reboot', '$prefix', '{b}', '#c', 'd="e  f"', '&&', '*'];
const bad = { imageVersion: '1.14.1', sequence: 2, tries: { left: 1, done: 0 } };

testWith(program('qemu-system-x86_64'), program('mcopy'))(
  'a BIOS starts a release from a disk and from a CD; one that panics loses its start, and the good one comes back by itself with every word of its command line',
  async (t) => {
    t.timeout(400_000);
    const directory = await temporaryDirectory(t);
    const grub = await grubPrograms(directory);
    const uki = await tinyUki('1.14.0', 'off', words);
    const good = { imageVersion: '1.14.0', sequence: 1, uki };
    const entries = [good, { ...bad, uki: await tinyUki('1.14.1', 'panics') }];
    const files = await grubFiles({ entries, readSections: readPe });
    const file = join(directory, 'node.raw');
    const image = diskImage({ recipe: 'a BIOS', grub: { files, programs: grub } });
    await image.writeTo(file);
    const disk = { driver: 'virtio', sizeBytes: image.size, serial: 'SYSTEM', file } as const;
    const { reasons, console } = await runUntilOff(
      { firmware: 'bios', disks: [disk] },
      join(directory, 'machine'),
    );
    t.deepEqual(reasons, ['guest-reset', 'guest-shutdown'], console.slice(-2000));
    const [, said = ''] = /init: (?<line>.*test\.version=1\.14\.0 .*)/u.exec(console) ?? [];
    t.true(
      said.includes(` test.off a;reboot $prefix {b} #c "d=e  f" && * os.boot.entry=nodeos-1.14.0-1.efi `),
      said,
    );
    t.regex(said, / os\.boot\.partition=[0-9a-f-]{36}\s*$/u);

    // What the node finds when it mounts the partition: as files here, by a program that knows FAT.
    const root = join(directory, 'boot');
    await mkdir(root);
    const at = `${file}@@${2 * mib}`;
    await output(['mcopy', '-s', '-n', '-i', at, '::grub', '::nodeos', root]);
    const partition = new BootPartition(slotFiles(root, readPe), good);
    t.deepEqual(
      (await partition.entries()).map(({ name, state, isBooted }) => [name, state, isBooted]),
      [
        ['nodeos-1.14.0-1.efi', 'good', true],
        ['nodeos-1.14.1-2+0-1.efi', 'bad', false],
      ],
    );
    const next = await tinyUki('1.14.2');
    const sha256 = (await next.digest('sha256')).toString('hex');
    await partition.write({ imageVersion: '1.14.2', sequence: 3, uki: next, sha256 });
    await output(['mcopy', '-s', '-n', '-o', '-i', at, join(root, 'grub'), join(root, 'nodeos'), '::']);
    const after = await runUntilOff({ firmware: 'bios', disks: [disk] }, join(directory, 'machine2'));
    t.deepEqual(after.reasons, ['guest-shutdown'], after.console.slice(-2000));
    t.regex(after.console, /init: .*test\.version=1\.14\.2 .*os\.boot\.entry=nodeos-1\.14\.2-3\.efi/u);

    const medium = join(directory, 'node.iso');
    const esp = { systemdBoot: await systemdBoot(), entries: [good] };
    const onMedium = await grubMediumFiles({ entry: good, readSections: readPe });
    await iso({ recipe: 'a CD', version: 'v1.14.0', esp, grub: { files: onMedium, programs: grub } }).writeTo(
      medium,
    );
    // A disk with a system is in the machine: the medium is what was started.
    const spec = { firmware: 'bios', disks: [disk], boot: { kind: 'iso', file: medium } } as const;
    const cd = await runUntilOff(spec, join(directory, 'machine3'));
    t.deepEqual(cd.reasons, ['guest-shutdown'], cd.console.slice(-2000));
    t.regex(cd.console, /init: .*test\.version=1\.14\.0 /u);
  },
);
