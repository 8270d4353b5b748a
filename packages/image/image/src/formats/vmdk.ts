import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

import { View } from '@nodecore/view';

import { ImageError } from '../errors.ts';
import { isCompressed } from '../frames/frame.ts';
import { derivedSerial } from '../identifiers.ts';

const sectorSizeBytes = 512;
const grainSizeBytes = 64 * 1024;
const grainsPerTable = 512;
/** Sectors in front of the first grain: header, description, and room up to a whole grain. */
const overheadSectors = grainSizeBytes / sectorSizeBytes;
const descriptionSectors = 20;
const markers = { endOfStream: 0, table: 1, directory: 2, footer: 3 } as const;
/** How many grains are read and compressed at the same time. */
const ahead = 8;

const deflated = promisify(deflate);

/**
 * A disk as a VMDK of the kind `streamOptimized`, which is written from its beginning to its end: grains of 64 KiB that are compressed,
 * tables behind them, and none for holes. Its size is known only at its end.
 *
 * @param recipe what the image is made of; its identifier follows from it.
 * @throws {ImageError} `ERR_IMAGE_SECTOR`, at once; {@link ViewError} as the disk is read.
 */
export function vmdk(disk: View, { recipe }: { readonly recipe: string }): AsyncGenerator<Uint8Array> {
  if (disk.size % sectorSizeBytes !== 0 || disk.size === 0)
    throw new ImageError('ERR_IMAGE_SECTOR', `${disk.size} bytes are no sectors of ${sectorSizeBytes}`);
  return write(disk, derivedSerial(recipe, 'vmdk'));
}

async function* write(disk: View, id: number): AsyncGenerator<Uint8Array> {
  const capacity = disk.size / sectorSizeBytes;
  const directory = Buffer.alloc(
    aligned(Math.ceil(disk.size / grainSizeBytes / grainsPerTable) * 4, sectorSizeBytes),
  );
  const front = Buffer.alloc(grainSizeBytes);
  header(capacity, undefined).copy(front);
  description(capacity, id).copy(front, sectorSizeBytes);
  yield front;
  let sector = overheadSectors;
  let table: { readonly number: number; readonly entries: Buffer } | undefined;
  const endTable = (): Buffer | undefined => {
    if (table === undefined) return undefined;
    directory.writeUInt32LE(sector + 1, table.number * 4);
    const bytes = Buffer.concat([marker(markers.table, table.entries.length), table.entries]);
    sector += bytes.length / sectorSizeBytes;
    table = undefined;
    return bytes;
  };
  for await (const { number, bytes } of grains(disk)) {
    const tableNumber = Math.floor(number / grainsPerTable);
    if (table?.number !== tableNumber) {
      const ended = endTable();
      if (ended !== undefined) yield ended;
      table = { number: tableNumber, entries: Buffer.alloc(grainsPerTable * 4) };
    }
    table.entries.writeUInt32LE(sector, (number % grainsPerTable) * 4);
    yield bytes;
    sector += bytes.length / sectorSizeBytes;
  }
  const ended = endTable();
  if (ended !== undefined) yield ended;
  const directorySector = sector + 1;
  yield Buffer.concat([
    marker(markers.directory, directory.length),
    directory,
    marker(markers.footer, sectorSizeBytes),
    header(capacity, directorySector),
    marker(markers.endOfStream, 0),
  ]);
}

type Grain = { readonly number: number; readonly bytes: Buffer };

/** Grains that are not all zeros, in their order. */
async function* grains(disk: View): AsyncGenerator<Grain> {
  const making: Promise<Grain | undefined>[] = [];
  try {
    for (const number of grainNumbers(disk)) {
      const made = grain(disk, number);
      made.catch(() => {}); // it is looked at in its turn
      making.push(made);
      if (making.length < ahead) continue;
      const found = await making[0];
      void making.shift();
      if (found !== undefined) yield found;
    }
    for (const each of making) {
      const found = await each;
      if (found !== undefined) yield found;
    }
  } finally {
    await Promise.allSettled(making);
  }
}

async function grain(disk: View, number: number): Promise<Grain | undefined> {
  const start = number * grainSizeBytes;
  const content = Buffer.alloc(grainSizeBytes); // the last one is filled up with zeros
  (await disk.slice(start, Math.min(start + grainSizeBytes, disk.size)).bytes()).copy(content);
  if (content.equals(emptyGrain)) return undefined;
  const data = await deflated(content, (await isCompressed(content)) ? { level: 0 } : {});
  const bytes = Buffer.alloc(aligned(12 + data.length, sectorSizeBytes));
  bytes.writeBigUInt64LE(BigInt(start / sectorSizeBytes), 0);
  bytes.writeUInt32LE(data.length, 8);
  data.copy(bytes, 12);
  return { number, bytes };
}

const emptyGrain = Buffer.alloc(grainSizeBytes);

/** Numbers of the grains that are not all hole. */
function* grainNumbers(disk: View): Generator<number> {
  let [position, next] = [0, 0];
  for (const extent of disk.extents) {
    const size = extent.kind === 'bytes' ? extent.bytes.length : extent.size;
    const end = Math.ceil((position + size) / grainSizeBytes);
    if (extent.kind !== 'hole')
      for (next = Math.max(next, Math.floor(position / grainSizeBytes)); next < end; next += 1) yield next;
    position += size;
  }
}

/** @param directory sector of the grain directory, in the footer; in the header it is at the end. */
function header(capacity: number, directory: number | undefined): Buffer {
  const bytes = Buffer.alloc(sectorSizeBytes);
  bytes.write('KDMV', 0, 'latin1');
  bytes.writeUInt32LE(3, 4);
  bytes.writeUInt32LE(0x30001, 8); // line ends can be checked; grains are compressed; there are markers
  bytes.writeBigUInt64LE(BigInt(capacity), 12);
  bytes.writeBigUInt64LE(BigInt(grainSizeBytes / sectorSizeBytes), 20);
  bytes.writeBigUInt64LE(1n, 28);
  bytes.writeBigUInt64LE(BigInt(descriptionSectors), 36);
  bytes.writeUInt32LE(grainsPerTable, 44);
  bytes.writeBigUInt64LE(directory === undefined ? 0xffffffffffffffffn : BigInt(directory), 56);
  bytes.writeBigUInt64LE(BigInt(overheadSectors), 64);
  bytes.write('\n \r\n', 73, 'latin1');
  bytes.writeUInt16LE(1, 77); // deflate
  return bytes;
}

function description(capacity: number, id: number): Buffer {
  const cylinders = Math.min(65_535, Math.ceil(capacity / (255 * 63)));
  return Buffer.from(`# Disk DescriptorFile
version=1
CID=${(id || 1).toString(16).padStart(8, '0')}
parentCID=ffffffff
createType="streamOptimized"

# Extent description
RW ${capacity} SPARSE "disk.vmdk"

# The Disk Data Base
#DDB

ddb.adapterType = "lsilogic"
ddb.geometry.cylinders = "${cylinders}"
ddb.geometry.heads = "255"
ddb.geometry.sectors = "63"
ddb.virtualHWVersion = "7"
`);
}

/** A sector that says what follows it. */
function marker(type: number, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sectorSizeBytes);
  bytes.writeBigUInt64LE(BigInt(sizeBytes / sectorSizeBytes), 0);
  bytes.writeUInt32LE(type, 12);
  return bytes;
}

function aligned(size: number, to: number): number {
  return Math.ceil(size / to) * to;
}
