import { type Extent, View } from '@nodecore/view';

import { ImageError } from '../errors.ts';

const headerSizeBytes = 104;
const entrySizeBytes = 8;
/** 16 bits: a cluster is used once or not at all. */
const refcountSizeBytes = 2;
/** Nobody else uses the cluster, so that a guest may write to it in its place. */
const copied = 1n << 63n;

export type Qcow2Options = {
  /** A power of two from 512 to 2 MiB; 64 KiB by default. */
  readonly clusterSizeBytes?: number;
};

/**
 * A disk in the format of QEMU, version 3. What is a hole of the disk takes no room; all else is the same ranges, so that
 * nothing is read or copied.
 *
 * @throws {ImageError} `ERR_IMAGE_SECTOR` for a size of the disk or of its clusters that the format can't have.
 */
export function qcow2(disk: View, { clusterSizeBytes = 65_536 }: Qcow2Options = {}): View {
  const bits = Math.log2(clusterSizeBytes);
  if (!Number.isInteger(bits) || bits < 9 || bits > 21 || disk.size % 512 !== 0)
    throw new ImageError(
      'ERR_IMAGE_SECTOR',
      `${disk.size} bytes in clusters of ${clusterSizeBytes}: not a qcow2`,
    );
  const runs = runsOf(disk, clusterSizeBytes);
  const tables = tablesOf(disk, runs, clusterSizeBytes);
  const at = placesOf(tables, runs, clusterSizeBytes);
  const parts: (View | Uint8Array | Extent)[] = [
    padded(headerOf({ disk, bits, at }), clusterSizeBytes),
    refcountTable(at, clusterSizeBytes),
    refcountBlocks(at, clusterSizeBytes),
    firstTable(tables, at, clusterSizeBytes),
    secondTables(runs, tables, at, clusterSizeBytes),
  ];
  for (const { first, end } of runs) {
    const [from, to] = [first * clusterSizeBytes, end * clusterSizeBytes];
    parts.push(disk.slice(from, Math.min(to, disk.size)));
    if (to > disk.size) parts.push({ kind: 'hole', size: to - disk.size });
  }
  return View.of(...parts);
}

/** Clusters of the disk, one behind the other, that are not all hole. */
type Run = { readonly first: number; readonly end: number };

function runsOf(disk: View, clusterSize: number): readonly Run[] {
  const runs: { first: number; end: number }[] = [];
  let position = 0;
  for (const extent of disk.extents) {
    const size = extent.kind === 'bytes' ? extent.bytes.length : extent.size;
    if (extent.kind !== 'hole') {
      const [first, end] = [Math.floor(position / clusterSize), Math.ceil((position + size) / clusterSize)];
      const last = runs.at(-1);
      if (last !== undefined && first <= last.end) last.end = end;
      else runs.push({ first, end });
    }
    position += size;
  }
  return runs;
}

type Tables = {
  /** Of the first table: one for each second table that the disk could have. */
  readonly entries: number;
  /** Numbers of the second tables that there are, in order. */
  readonly used: readonly number[];
};

function tablesOf(disk: View, runs: readonly Run[], clusterSize: number): Tables {
  const perTable = clusterSize / entrySizeBytes;
  const used = new Set<number>();
  for (const { first, end } of runs)
    for (let table = Math.floor(first / perTable); table * perTable < end; table += 1) used.add(table);
  return { entries: Math.ceil(disk.size / clusterSize / perTable), used: [...used] };
}

/** Where things are, in clusters, in the order of the file: header, counts, tables, data. */
type Places = {
  readonly counts: number;
  readonly blocks: number;
  readonly first: number;
  readonly second: number;
  readonly data: number;
  readonly end: number;
};

/** The counts count themselves, too. */
function placesOf({ entries, used }: Tables, runs: readonly Run[], clusterSize: number): Places {
  const firstClusters = Math.max(1, Math.ceil((entries * entrySizeBytes) / clusterSize));
  const dataClusters = runs.reduce((sum, { first, end }) => sum + end - first, 0);
  let at: Places | undefined;
  for (let blockCount = 1; at === undefined; blockCount += 1) {
    const counts = 1;
    const blocks = counts + Math.ceil((blockCount * entrySizeBytes) / clusterSize);
    const first = blocks + blockCount;
    const second = first + firstClusters;
    const data = second + used.length;
    const end = data + dataClusters;
    if (end * refcountSizeBytes <= blockCount * clusterSize)
      at = { counts, blocks, first, second, data, end };
  }
  return at;
}

function headerOf({ disk, bits, at }: { disk: View; bits: number; at: Places }): Buffer {
  const header = Buffer.alloc(headerSizeBytes);
  const place = (cluster: number): bigint => BigInt(cluster) << BigInt(bits);
  header.write('QFI\xfb', 0, 'latin1');
  header.writeUInt32BE(3, 4);
  header.writeUInt32BE(bits, 20);
  header.writeBigUInt64BE(BigInt(disk.size), 24);
  header.writeUInt32BE(Math.ceil(disk.size / 2 ** bits / (2 ** bits / entrySizeBytes)), 36);
  header.writeBigUInt64BE(place(at.first), 40);
  header.writeBigUInt64BE(place(at.counts), 48);
  header.writeUInt32BE(at.blocks - at.counts, 56);
  header.writeUInt32BE(Math.log2(refcountSizeBytes * 8), 96);
  header.writeUInt32BE(headerSizeBytes, 100);
  return header;
}

function refcountTable({ counts, blocks, first }: Places, clusterSize: number): Buffer {
  const table = Buffer.alloc((blocks - counts) * clusterSize);
  for (let block = blocks; block < first; block += 1)
    table.writeBigUInt64BE(BigInt(block) * BigInt(clusterSize), (block - blocks) * entrySizeBytes);
  return table;
}

function refcountBlocks({ blocks, first, end }: Places, clusterSize: number): Buffer {
  const counts = Buffer.alloc((first - blocks) * clusterSize);
  for (let cluster = 0; cluster < end; cluster += 1) counts.writeUInt16BE(1, cluster * refcountSizeBytes);
  return counts;
}

function firstTable({ used }: Tables, { first, second }: Places, clusterSize: number): Buffer {
  const table = Buffer.alloc((second - first) * clusterSize);
  for (const [index, number] of used.entries())
    table.writeBigUInt64BE((BigInt(second + index) * BigInt(clusterSize)) | copied, number * entrySizeBytes);
  return table;
}

function secondTables(
  runs: readonly Run[],
  { used }: Tables,
  { second, data }: Places,
  clusterSize: number,
): Buffer {
  const tables = Buffer.alloc((data - second) * clusterSize);
  const perTable = clusterSize / entrySizeBytes;
  const indexes = new Map(used.map((number, index) => [number, index]));
  let place = data;
  for (const { first, end } of runs)
    for (let cluster = first; cluster < end; cluster += 1) {
      const index = (indexes.get(Math.floor(cluster / perTable)) ?? 0) * perTable + (cluster % perTable);
      tables.writeBigUInt64BE((BigInt(place) * BigInt(clusterSize)) | copied, index * entrySizeBytes);
      place += 1;
    }
  return tables;
}

function padded(bytes: Buffer, size: number): Buffer {
  return Buffer.concat([bytes], size);
}
