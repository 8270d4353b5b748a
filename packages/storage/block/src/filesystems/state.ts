import { DeviceFile } from '../devices/device-file.ts';

/** What a filesystem says of itself while it is not mounted. */
export type FilesystemState =
  | 'clean' // or one that a mount makes good by itself
  | 'unclean' // not unmounted
  | 'errors'; // somebody found errors in it

/** Where the ext4 superblock is, and the fields of it that matter (`struct ext4_super_block`). */
const ext4At = 1024n;
const ext4State = 0x3a;
const ext4Incompatible = 0x60;
const ext4Valid = 1;
const ext4Errors = 2;
const ext4NeedsRecovery = 4;

/** `struct xfs_dsb`; version 5 has the feature fields. */
const xfsVersion = 100;
const xfsIncompatible = 216;
const xfsNeedsRepair = 0x10;

/**
 * Reads the superblock of a filesystem that is not mounted. Whether an xfs was unmounted is written in its log alone, which
 * its mount replays, as that of btrfs does.
 */
export async function stateOf(path: string, type: 'xfs' | 'ext4'): Promise<FilesystemState> {
  await using device = await DeviceFile.open(path);
  await device.dropCache();
  return type === 'ext4'
    ? ext4StateOf(await device.read(ext4At, 1024))
    : xfsStateOf(await device.read(0n, 512));
}

function ext4StateOf(superblock: Buffer): FilesystemState {
  const state = superblock.readUInt16LE(ext4State);
  if ((state & ext4Errors) !== 0) return 'errors';
  const needsRecovery = (superblock.readUInt32LE(ext4Incompatible) & ext4NeedsRecovery) !== 0;
  return needsRecovery || (state & ext4Valid) === 0 ? 'unclean' : 'clean';
}

function xfsStateOf(superblock: Buffer): FilesystemState {
  const hasFeatures = (superblock.readUInt16BE(xfsVersion) & 0xf) === 5;
  return hasFeatures && (superblock.readUInt32BE(xfsIncompatible) & xfsNeedsRepair) !== 0
    ? 'errors'
    : 'clean';
}
