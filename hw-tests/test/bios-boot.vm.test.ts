import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { connect, decodeSpec } from '@nodecore/api';
import { BootPartition, grubFiles, grubMediumFiles, slotFiles } from '@nodecore/boot';
import { readPe } from '@nodecore/efi';
import { diskImage, iso } from '@nodecore/image';
import { consoleSays, Machine, type MachineSpec } from '@nodecore/machine';
import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { assembleUki } from '@nodecore/uki';

import { nodeImage } from '../src/node-image.ts';
import { freePort } from './agent-node.ts';
import { runUntilOff } from './tiny-machine.ts';
import { grubPrograms, systemdBoot, tinyUki } from './tiny-system.ts';

const mib = 1 << 20;
/** What somebody may want a kernel to be told, and GRUB would take for its own. */
const words = ['a;reboot', '$prefix', '{b}', '#c', 'd="e  f"', '&&', '*'];
const bad = { imageVersion: '1.14.1', sequence: 2, tries: { left: 1, done: 0 } };

testWith(program('qemu-system-x86_64'), program('mcopy'))(
  'a BIOS starts a release from a disk and from a CD; one that panics loses its start, and the good one comes back by itself with every word of its command line',
  async (t) => {
    t.timeout(170_000);
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

testWith(program('qemu-system-x86_64'), program('mksquashfs'))(
  'the node OS that GRUB has started knows which entry it is of, and that its start was counted',
  async (t) => {
    t.timeout(170_000);
    const directory = await temporaryDirectory(t);
    const { stub, kernel, kernelVersion, initrd, commandLine } = await nodeImage({});
    // The version of the root: the boot loader's word is about a file of the same release.
    const osrel = 'ID=nodeos\nIMAGE_ID=nodeos\nIMAGE_VERSION=1.14.0~alpha.0\n';
    const uki = await assembleUki({
      stub,
      sections: { osrel, cmdline: commandLine, uname: kernelVersion, linux: kernel, initrd },
    });
    const entry = { imageVersion: '1.14.0~alpha.0', sequence: 1, tries: { left: 3, done: 0 }, uki };
    const files = await grubFiles({ entries: [entry], readSections: readPe });
    const sizeBytes = 4 * 1024 ** 3;
    const grub = { files, programs: await grubPrograms(directory) };
    const file = join(directory, 'node.raw');
    await diskImage({ recipe: 'a node with a BIOS', sizeBytes, grub }).writeTo(file);
    const port = await freePort();
    const spec: MachineSpec = {
      name: 'bios',
      uuid: randomUUID(),
      firmware: 'bios',
      tpm: 'none',
      memoryMib: 1024,
      cpus: 2,
      durability: 'none',
      disks: [{ driver: 'virtio', sizeBytes, serial: 'SYSTEM', file }],
      nics: [{ backend: { kind: 'user', restricted: false, forwards: [{ host: port, guest: 50_000 }] } }],
    };
    await using machine = await Machine.open(spec, { directory });
    await machine.powerOn();
    await consoleSays(directory, 'maintenance on port', AbortSignal.timeout(120_000));
    const client = connect({ endpoint: `127.0.0.1:${port}`, insecure: true });
    t.teardown(() => client.close());
    const type = 'BootedEntries.runtime.nodecore.dev';
    const booted = async (): Promise<unknown> => {
      const { resource } = await client.get({ type, namespace: 'runtime', id: 'booted' });
      return decodeSpec(resource?.spec ?? new Uint8Array());
    };
    let found: unknown;
    // It has no address yet, or the disks are still being looked at.
    while (found === undefined && machine.state === 'running') found = await booted().catch(() => undefined);
    t.like(found, {
      entry: 'nodeos-1.14.0~alpha.0-1+2-1.efi',
      version: 'v1.14.0-alpha.0',
      state: 'trying',
      booted: true,
      sizeBytes: uki.size,
    });
    await machine.powerOff({ graceMs: 60_000 });
  },
);
