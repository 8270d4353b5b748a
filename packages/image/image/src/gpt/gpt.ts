import { crc32 } from 'node:zlib';

import { bootCodeBytes } from '@nodecore/boot';
import { View } from '@nodecore/view';

import { ImageError } from '../errors.ts';
import { derivedUuid } from '../identifiers.ts';
import { guidBytes } from './guid.ts';

/** Types of partitions, as the UEFI and the discoverable partitions specifications have them. */
export const partitionType = {
  bios: '21686148-6449-6e6f-744e-656564454649',
  efi: 'c12a7328-f81f-11d2-ba4b-00a0c93ec93b',
  linux: '0fc63daf-8483-4772-8e79-3d69d8477de4',
} as const;

export type Partition = {
  /** Up to 36 characters. */
  readonly label: string;
  readonly type: string;
  readonly content: View;
  /** Room for the content; its size by default. In bytes, rounded up to 1 MiB. */
  readonly sizeBytes?: number;
};

export type SectorSize = 512 | 4096;

export type GptOptions = {
  /** What the image is made of; GUIDs follow from it. */
  readonly recipe: string;
  readonly partitions: readonly Partition[];
  /** 512 by default. */
  readonly sectorSize?: SectorSize;
  /** Of the whole disk; by default what the partitions need. A multiple of the sector size. */
  readonly sizeBytes?: number;
  /** Bytes at the beginning of the disk, in front of the first partition and between the table and it: ISO 9660. */
  readonly front?: { readonly offset: number; readonly content: View };
  /** Code that a BIOS starts, for the first bytes of the disk. */
  readonly bootCode?: Uint8Array;
};

const alignment = 1 << 20;
const entryCount = 128;
const entrySizeBytes = 128;

/**
 * A disk with a partition table, both copies and the protective MBR. Partitions begin and end at whole MiB.
 *
 * @throws {ImageError} `ERR_IMAGE_TOO_SMALL`, `ERR_IMAGE_NAME`, `ERR_IMAGE_SECTOR`.
 */
export function gpt(options: GptOptions): View {
  const { recipe, sectorSize = 512, front } = options;
  if (sectorSize !== 512 && sectorSize !== 4096) {
    throw new ImageError('ERR_IMAGE_SECTOR', `${String(sectorSize)} is no sector size`);
  }
  const tableSize = Math.ceil((entryCount * entrySizeBytes) / sectorSize) * sectorSize;
  const placed = place(options, front === undefined ? 0 : front.offset + front.content.size);
  const end = placed.at(-1)?.end ?? alignment;
  const size = options.sizeBytes ?? end + alignment;
  if (size % sectorSize !== 0 || end + tableSize + sectorSize > size) {
    throw new ImageError(
      'ERR_IMAGE_TOO_SMALL',
      `${end} bytes of partitions and a table don't fit into ${size}`,
    );
  }
  const table = encodeTable(recipe, placed, sectorSize, tableSize);
  const last = size / sectorSize - 1;
  const header = (isBackup: boolean): Buffer =>
    encodeHeader({
      sectorSize,
      tableSectors: tableSize / sectorSize,
      lastSector: last,
      isBackup,
      diskGuid: derivedUuid(recipe, 'disk'),
      tableCrc: crc32(table),
    });
  const parts: View[] = [View.of(protectiveMbr(sectorSize, last, options.bootCode), header(false), table)];
  let position = 2 * sectorSize + tableSize;
  const put = (offset: number, content: View): void => {
    parts.push(View.of({ kind: 'hole', size: offset - position }, content));
    position = offset + content.size;
  };
  if (front !== undefined) put(front.offset, front.content);
  for (const { start, content } of placed) put(start, content);
  put(size - sectorSize - tableSize, View.of(table, header(true)));
  return View.of(...parts);
}

/** Where a disk with these partitions has its next one, in bytes. */
export function partitionsEnd(options: Pick<GptOptions, 'recipe' | 'partitions' | 'sectorSize'>): number {
  return place(options, 0).at(-1)?.end ?? alignment;
}

type Placed = Partition & { readonly start: number; readonly end: number };

function place({ partitions, sectorSize = 512 }: GptOptions, frontEnd: number): readonly Placed[] {
  if (partitions.length > entryCount) {
    throw new ImageError('ERR_IMAGE_TOO_LARGE', `${partitions.length} partitions are too many`);
  }
  const first = Math.max(frontEnd, 2 * sectorSize + entryCount * entrySizeBytes);
  let end = Math.ceil(first / alignment) * alignment;
  return partitions.map((partition) => {
    const { label, content, sizeBytes = content.size } = partition;
    if (label.length > 36) throw new ImageError('ERR_IMAGE_NAME', `${label}: the label is too long`);
    if (content.size > sizeBytes) {
      throw new ImageError(
        'ERR_IMAGE_TOO_SMALL',
        `${label}: ${content.size} bytes don't fit into ${sizeBytes}`,
      );
    }
    const start = end;
    end = start + Math.max(1, Math.ceil(sizeBytes / alignment)) * alignment;
    return { ...partition, start, end };
  });
}

function encodeTable(recipe: string, placed: readonly Placed[], sectorSize: number, size: number): Buffer {
  const table = Buffer.alloc(size);
  for (const [index, { label, type, start, end }] of placed.entries()) {
    const entry = table.subarray(index * entrySizeBytes, (index + 1) * entrySizeBytes);
    guidBytes(type).copy(entry, 0);
    guidBytes(derivedUuid(recipe, `partition ${index} ${label}`)).copy(entry, 16);
    entry.writeBigUInt64LE(BigInt(start / sectorSize), 32);
    entry.writeBigUInt64LE(BigInt(end / sectorSize - 1), 40);
    entry.write(label, 56, 'utf16le');
  }
  return table;
}

type Header = {
  readonly sectorSize: number;
  readonly tableSectors: number;
  readonly lastSector: number;
  readonly isBackup: boolean;
  readonly diskGuid: string;
  readonly tableCrc: number;
};

function encodeHeader(fields: Header): Buffer {
  const { sectorSize, tableSectors, lastSector, isBackup, diskGuid, tableCrc } = fields;
  const header = Buffer.alloc(sectorSize);
  const headerSize = 92;
  header.write('EFI PART', 0, 'latin1');
  header.writeUInt32LE(0x00010000, 8);
  header.writeUInt32LE(headerSize, 12);
  header.writeBigUInt64LE(BigInt(isBackup ? lastSector : 1), 24);
  header.writeBigUInt64LE(BigInt(isBackup ? 1 : lastSector), 32);
  header.writeBigUInt64LE(BigInt(2 + tableSectors), 40);
  header.writeBigUInt64LE(BigInt(lastSector - tableSectors - 1), 48);
  guidBytes(diskGuid).copy(header, 56);
  header.writeBigUInt64LE(BigInt(isBackup ? lastSector - tableSectors : 2), 72);
  header.writeUInt32LE(entryCount, 80);
  header.writeUInt32LE(entrySizeBytes, 84);
  header.writeUInt32LE(tableCrc, 88);
  header.writeUInt32LE(crc32(header.subarray(0, headerSize)), 16);
  return header;
}

/** One partition of type 0xEE over the whole disk: programs that don't know GPT leave it alone. */
function protectiveMbr(sectorSize: number, lastSector: number, code: Uint8Array = new Uint8Array()): Buffer {
  const mbr = Buffer.alloc(sectorSize);
  if (code.length > bootCodeBytes)
    throw new ImageError('ERR_IMAGE_TOO_LARGE', `${code.length} bytes of boot code`);
  mbr.set(code);
  Buffer.from([0x00, 0x00, 0x02, 0x00, 0xee, 0xff, 0xff, 0xff]).copy(mbr, 446);
  mbr.writeUInt32LE(1, 454);
  mbr.writeUInt32LE(Math.min(lastSector, 0xffffffff), 458);
  mbr.writeUInt16LE(0xaa55, 510);
  return mbr;
}
