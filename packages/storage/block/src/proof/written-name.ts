import { parseGptHeader } from '../content/gpt-header.ts';

const superblockBytes = 1024;

/** What a place holds, for people, and whether it says so itself or is just data. */
export type WrittenName = { readonly text: string; readonly isKnown: boolean };

/** What the bytes of a place that is not zero begin with, for people; `data` where that is not known. */
export function nameOfWritten(bytes: Buffer, offset: bigint): WrittenName {
  for (let at = 0; at + superblockBytes <= bytes.length; at += 512) {
    const known = nameAt(bytes.subarray(at), offset + BigInt(at));
    if (known !== undefined) return { text: `${known} at byte ${offset + BigInt(at)}`, isKnown: true };
  }
  const first = bytes.findIndex((byte) => byte !== 0);
  return { text: `data at byte ${offset + BigInt(Math.max(first, 0))}`, isKnown: false };
}

function nameAt(bytes: Buffer, offset: bigint): string | undefined {
  const text = (at: number, length: number): string => bytes.toString('latin1', at, at + length);
  if (text(0, 4) === 'XFSB') return 'a header of an allocation group of xfs';
  if (text(64, 8) === '_BHRfS_M') return 'a backup superblock of btrfs';
  if (text(0, 6) === 'SKUL\xba\xbe') return 'the second header of luks';
  if (text(0, 6) === 'LUKS\xba\xbe') return 'a header of luks';
  if (text(0, 8) === 'LABELONE') return 'a label of lvm2-pv';
  if (text(3, 8) === 'NTFS    ') return 'a boot sector of ntfs';
  if (text(0, 16) === 'nodecore META 1\n') return 'a copy of META of a node';
  if (text(0, 22) === 'bluestore block device') return 'a label of bluestore';
  if (parseGptHeader(bytes.subarray(0, 512)) !== undefined) return 'a header of gpt';
  return extBackup(bytes, offset);
}

/** `struct ext2_super_block`: where the filesystem began follows from the group that the copy says it is in. */
function extBackup(bytes: Buffer, offset: bigint): string | undefined {
  const blockBits = bytes.readUInt32LE(24);
  const groupBlocks = bytes.readUInt32LE(32);
  if (bytes.readUInt16LE(56) !== 0xef53 || blockBits > 6 || groupBlocks === 0) return undefined;
  const group = bytes.readUInt16LE(90);
  const block = BigInt(bytes.readUInt32LE(20)) + BigInt(group) * BigInt(groupBlocks);
  const begin = offset - block * (1024n << BigInt(blockBits));
  if (group === 0 || begin < 0n) return undefined;
  return `a backup superblock of ext4, which began at byte ${begin},`;
}
