import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { isStartable } from '../src/startable-disk.ts';
import { makeSystemDisk } from '../src/system-disk.ts';

const mib = 2 ** 20;

test('a disk without a table, or with nothing but what a node keeps there, is not started', async (t) => {
  const directory = await temporaryDirectory(t);
  const [blank, kept] = [join(directory, 'blank'), join(directory, 'kept')];
  await writeFile(blank, '');
  await truncate(blank, 4 * mib);
  await makeSystemDisk(kept, { sizeBytes: 8 * mib }, 'a text');
  for (const uefi of [true, false]) {
    t.false(await isStartable(join(directory, 'none'), { uefi }));
    t.false(await isStartable(blank, { uefi }));
    t.false(await isStartable(kept, { uefi }));
  }
});

test('what a machine writes into its tables keeps nobody from starting it', async (t) => {
  const path = join(await temporaryDirectory(t), 'disk');
  await makeSystemDisk(path, { sizeBytes: 8 * mib }, 'a text');
  await using file = await open(path, 'r+');
  const type = Buffer.from('28732ac11ff8d211ba4b00a0c93ec93b', 'hex'); // of a partition for UEFI
  const first = Buffer.alloc(8);
  for (const sector of [2n ** 64n - 1n, 2n ** 53n, 2n ** 40n, 0n, 8n, 16_383n]) {
    first.writeBigUInt64LE(sector);
    await file.write(Buffer.concat([type, Buffer.alloc(16), first]), 0, 40, 1024);
    t.false(await isStartable(path, { uefi: true }), `${sector}`);
  }
  // A filesystem at the eighth sector whose numbers are as wrong as can be.
  first.writeBigUInt64LE(8n);
  await file.write(first, 0, 8, 1024 + 32);
  const boot = Buffer.alloc(512, 0xff);
  boot.write('FAT32', 82, 'latin1');
  boot.writeUInt16LE(0xaa55, 510);
  await file.write(boot, 0, 512, 8 * 512);
  t.false(await isStartable(path, { uefi: true }));
  // A directory that is its own next cluster.
  boot.fill(0, 11, 48);
  boot.writeUInt16LE(512, 11);
  boot.writeUInt8(1, 13);
  boot.writeUInt16LE(1, 14);
  boot.writeUInt8(1, 16);
  boot.writeUInt32LE(1000, 32);
  boot.writeUInt32LE(1, 36);
  boot.writeUInt32LE(2, 44);
  await file.write(boot, 0, 512, 8 * 512);
  const table = Buffer.alloc(512);
  table.writeUInt32LE(2, 8);
  await file.write(table, 0, 512, 9 * 512);
  await file.write(Buffer.alloc(512, 0x41), 0, 512, 10 * 512);
  t.false(await isStartable(path, { uefi: true }));
  await file.write(Buffer.alloc(16, 0xff), 0, 8, 512 + 80); // how many entries of which size
  t.false(await isStartable(path, { uefi: true }));
});

testWith(
  program('sgdisk'),
  program('mkfs.vfat'),
  program('mcopy'),
)('a disk with a loader for UEFI is started, one that is half made is not', async (t) => {
  const directory = await temporaryDirectory(t);
  const [disk, loader] = [join(directory, 'disk'), join(directory, 'loader')];
  await writeFile(disk, '');
  await truncate(disk, 80 * mib);
  await output(['sgdisk', '-n', '1:2048:+8M', '-n', '2:0:+64M', '-t', '2:ef00', disk]);
  t.false(await isStartable(disk, { uefi: true }), 'no filesystem');
  const first = 2048 * 512 + 8 * mib;
  const blocks = String(64 * 1024);
  await output(['mkfs.vfat', '-F', '32', '-s', '1', '--offset', String(first / 512), disk, blocks]);
  t.false(await isStartable(disk, { uefi: true }), 'no loader');
  const at = `${disk}@@${first}`;
  // More of them than a cluster has room for, and long names between.
  const others = Array.from({ length: 40 }, (_, index) => `::EFI/a long name of directory ${index}`);
  await output(['mmd', '-i', at, '::EFI', ...others, '::EFI/BOOT']);
  await writeFile(loader, '');
  await output(['mcopy', '-i', at, loader, '::EFI/BOOT/BOOTX64.EFI']);
  t.false(await isStartable(disk, { uefi: true }), 'an empty loader');
  await writeFile(loader, 'MZ');
  await output(['mcopy', '-o', '-i', at, loader, '::EFI/BOOT/BOOTX64.EFI']);
  t.true(await isStartable(disk, { uefi: true }));
  t.false(await isStartable(disk, { uefi: false }), 'a BIOS starts something else');
  t.false(await isStartable(disk, { sectorSize: 4096, uefi: true }), 'of other sectors');
  await output(['sgdisk', '-t', '1:ef02', disk]);
  t.false(await isStartable(disk, { uefi: false }), 'no boot code');
  await using file = await open(disk, 'r+');
  await file.write(Buffer.alloc(440, 0x90), 0, 440, 0);
  t.true(await isStartable(disk, { uefi: false }));
});
