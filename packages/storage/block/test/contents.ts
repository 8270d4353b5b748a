import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import { output } from '@nodecore/testkit';

/** Makes something recognisable on a device or in a file. */
export type Maker = {
  /** The neutral name. */
  readonly name: string;
  readonly make: (path: string) => Promise<unknown>;
  /** The program it takes, when it takes one. */
  readonly program?: string;
};

const uuid = '3f2a9c1e-5b64-4d0f-8a11-77c2d9e0b3a4';

/** One maker per content of the reference that this machine's tools, or a few bytes, can make. */
export const makers: readonly Maker[] = [
  { name: 'xfs', program: 'mkfs.xfs', make: (path) => output(['mkfs.xfs', '-q', '-f', '-L', 'lbl', path]) },
  {
    name: 'ext4',
    program: 'mkfs.ext4',
    make: (path) => output(['mkfs.ext4', '-q', '-F', '-L', 'lbl', path]),
  },
  {
    name: 'ext3',
    program: 'mkfs.ext3',
    make: (path) => output(['mkfs.ext3', '-q', '-F', '-L', 'lbl', path]),
  },
  {
    name: 'ext2',
    program: 'mkfs.ext2',
    make: (path) => output(['mkfs.ext2', '-q', '-F', '-L', 'lbl', path]),
  },
  { name: 'vfat', program: 'mkfs.vfat', make: (path) => output(['mkfs.vfat', '-I', '-n', 'LBL', path]) },
  { name: 'swap', program: 'mkswap', make: (path) => output(['mkswap', '-q', '-L', 'lbl', path]) },
  {
    name: 'gpt',
    program: 'sfdisk',
    make: (path) => sfdisk(path, 'label: gpt\nsize=4M, name=first\nname=rest\n'),
  },
  { name: 'dos', program: 'sfdisk', make: (path) => sfdisk(path, 'label: dos\nsize=4M\ntype=5\nsize=2M\n') },
  { name: 'luks', program: 'cryptsetup', make: (path) => luksFormat(path, 'luks2') },
  { name: 'luks1', program: 'cryptsetup', make: (path) => luksFormat(path, 'luks1') },
  { name: 'lvm2-pv', make: (path) => writeAt(path, 512n, lvmLabel()) },
  { name: 'linux_raid_member', make: (path) => writeAt(path, 4096n, raidSuperblock(8n)) },
  { name: 'squashfs', make: (path) => writeAt(path, 0n, squashfsSuperblock()) },
  { name: 'iso9660', make: (path) => writeAt(path, 32768n, isoVolumeDescriptors()) },
  { name: 'bluestore', make: (path) => writeAt(path, 0n, Buffer.from('bluestore block device\n')) },
];

/** Linux md superblocks at the places of versions 1.1 and 1.0; 1.2 is among the makers. */
export function raidAtStart(path: string): Promise<void> {
  return writeAt(path, 0n, raidSuperblock(0n));
}

export function raidAtEnd(path: string, sizeBytes: bigint): Promise<void> {
  const sector = (sizeBytes / 512n - 16n) & ~7n;
  return writeAt(path, sector * 512n, raidSuperblock(sector));
}

export async function writeAt(path: string, offset: bigint, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.byteLength, Number(offset));
}

export function sfdisk(path: string, script: string): Promise<string> {
  return output(['sfdisk', '--quiet', '--no-reread', '--no-tell-kernel', path], { input: script });
}

function luksFormat(path: string, type: 'luks1' | 'luks2'): Promise<string> {
  const cost = ['--pbkdf', 'pbkdf2', '--pbkdf-force-iterations', '1000'];
  const argv = ['luksFormat', '--batch-mode', '--type', type, ...cost, '--key-file', '-', path];
  return output(['cryptsetup', ...argv], { input: 'passphrase' });
}

/** md(4), superblock version 1: `struct mdp_superblock_1` of the kernel's md_p.h. */
function raidSuperblock(sector: bigint): Buffer {
  const bytes = Buffer.alloc(1024);
  bytes.writeUInt32LE(0xa92b4efc, 0);
  bytes.writeUInt32LE(1, 4); // major version
  bytes.write(uuid.replaceAll('-', ''), 16, 'hex');
  bytes.write('node:data', 32);
  bytes.writeInt32LE(1, 72); // level
  bytes.writeBigUInt64LE(16384n, 80); // size
  bytes.writeUInt32LE(2, 92); // disks
  bytes.writeBigUInt64LE(2048n, 128); // data offset
  bytes.writeBigUInt64LE(16384n, 136); // data size
  bytes.writeBigUInt64LE(sector, 144); // super offset
  let sum = 0n;
  for (let at = 0; at < 256; at += 4) sum += BigInt(bytes.readUInt32LE(at));
  bytes.writeUInt32LE(Number(((sum & 0xffff_ffffn) + (sum >> 32n)) & 0xffff_ffffn), 216);
  return bytes;
}

/** The label sector of LVM2, with its checksum: CRC-32 with LVM's own start value and without the final inversion. */
function lvmLabel(): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.write('LABELONE', 0);
  bytes.writeBigUInt64LE(1n, 8);
  bytes.writeUInt32LE(32, 20);
  bytes.write('LVM2 001', 24);
  bytes.write('FZu34Do8RnXrRnH7sgAbkXmic3C3oacV', 32);
  bytes.writeUInt32LE(~crc32(bytes.subarray(20), ~0xf597a6cf >>> 0) >>> 0, 16);
  return bytes;
}

function squashfsSuperblock(): Buffer {
  const bytes = Buffer.alloc(96);
  bytes.write('hsqs', 0);
  bytes.writeUInt32LE(131072, 12); // block size
  bytes.writeUInt16LE(17, 22); // its logarithm
  bytes.writeUInt16LE(4, 28); // major version
  bytes.writeBigUInt64LE(96n, 40); // bytes used
  return bytes;
}

/** ECMA-119: a primary volume descriptor and the terminator. */
function isoVolumeDescriptors(): Buffer {
  const bytes = Buffer.alloc(4096);
  bytes.writeUInt8(1, 0);
  bytes.write('CD001', 1);
  bytes.writeUInt8(1, 6);
  bytes.fill(' ', 8, 72);
  bytes.write('INSTALL', 40);
  bytes.writeUInt16LE(2048, 128);
  bytes.writeUInt8(255, 2048);
  bytes.write('CD001', 2049);
  return bytes;
}
