import { View } from '@nodecore/view';

import { ImageError } from '../errors.ts';
import type { SectorSize } from '../gpt/gpt.ts';
import { derivedSerial } from '../identifiers.ts';
import { reservedArea } from './boot-sector.ts';
import { fatLayout } from './layout.ts';
import { FatNames } from './names.ts';
import { type FatDirectory, type FatFile, treeOf } from './tree.ts';

export type Fat32Options = {
  /** What it is made of; its serial number follows from it. */
  readonly recipe: string;
  readonly sizeBytes: number;
  /** 512 by default. */
  readonly sectorSize?: SectorSize;
  /** Up to 11 characters, upper case. */
  readonly label: string;
  readonly files: readonly FatFile[];
};

const endOfChain = 0x0fffffff;
/** 1980-01-01, where FAT's time begins: an image says nothing of when it was made. */
const noDate = 0x0021;

/**
 * A FAT32 whose files are extents: only tables and directories are made, so it takes as long for 1 GiB as for 1 MiB.
 * Files lie one behind the other, none in pieces.
 *
 * @throws {ImageError} `ERR_IMAGE_TOO_SMALL`, `ERR_IMAGE_TOO_LARGE`, `ERR_IMAGE_NAME`.
 */
export function fat32({ recipe, sizeBytes, sectorSize = 512, label, files }: Fat32Options): View {
  if (!/^[A-Z0-9_-]{1,11}$/.test(label))
    throw new ImageError('ERR_IMAGE_NAME', `${label} is no label of a FAT`);
  const layout = fatLayout(sizeBytes, sectorSize);
  const clusterSize = layout.sectorsPerCluster * sectorSize;
  const data = new Data(clusterSize);
  data.add(treeOf(files), label);
  if (data.used > layout.clusters) {
    const missing = (data.used - layout.clusters) * clusterSize;
    throw new ImageError('ERR_IMAGE_TOO_SMALL', `FAT32 of ${sizeBytes} bytes: ${missing} bytes are missing`);
  }
  const table = data.table(layout.sectorsPerFat * sectorSize, sectorSize);
  const front = reservedArea(layout, {
    label,
    serial: derivedSerial(recipe, label),
    usedClusters: data.used,
  });
  const content = View.of(front, table, table, ...data.contents);
  return View.of(content, { kind: 'hole', size: sizeBytes - content.size });
}

/** The clusters in use, from number 2 on, and who has them. */
class Data {
  readonly contents: View[] = [];
  /** First cluster and how many, for each content. */
  readonly #chains: { readonly first: number; readonly count: number }[] = [];
  readonly #clusterSize: number;
  used = 0;

  constructor(clusterSize: number) {
    this.#clusterSize = clusterSize;
  }

  /** A directory with all below it; its first cluster. Entries need the clusters of what they name, so these go after it. */
  add(directory: FatDirectory, label?: string, parent = 0): number {
    const names = new FatNames(directory.children.keys());
    const named = [...directory.children].map(([name, node]) => ({ node, name: names.add(name) }));
    const heads = label === undefined ? 2 : 1;
    const count = heads + named.reduce((sum, { name }) => sum + name.long.length + 1, 0);
    const place = this.contents.length;
    const first = this.#reserve(count * 32);
    const entries: Buffer[] =
      label === undefined
        ? [entryOf('.', 0x10, first, 0), entryOf('..', 0x10, parent, 0)]
        : [entryOf(label, 0x08, 0, 0)];
    for (const { node, name } of named) {
      const isFile = node.kind === 'file';
      if (isFile && node.content.size > 0xffffffff) {
        throw new ImageError('ERR_IMAGE_TOO_LARGE', `FAT has no files of ${node.content.size} bytes`);
      }
      // The root is 0 as a parent, whatever its cluster is.
      const cluster = isFile
        ? this.#file(node.content)
        : this.add(node, undefined, label === undefined ? first : 0);
      entries.push(
        ...name.long,
        entryOf(name.short, isFile ? 0x20 : 0x10, cluster, isFile ? node.content.size : 0),
      );
    }
    this.contents[place] = padded(View.of(Buffer.concat(entries)), this.#clusterSize);
    return first;
  }

  /** Both FATs: entries of what is in use, and a hole for the rest. */
  table(size: number, sectorSize: number): View {
    const used = Buffer.alloc(Math.ceil(((this.used + 2) * 4) / sectorSize) * sectorSize);
    used.writeUInt32LE(0x0ffffff8, 0);
    used.writeUInt32LE(endOfChain, 4);
    for (const { first, count } of this.#chains) {
      for (let index = 0; index < count; index++) {
        const next = index === count - 1 ? endOfChain : first + index + 1;
        used.writeUInt32LE(next, (first + index) * 4);
      }
    }
    return View.of(used, { kind: 'hole', size: Math.max(size - used.length, 0) });
  }

  #file(content: View): number {
    if (content.size === 0) return 0; // an empty file has no cluster
    const place = this.contents.length;
    const first = this.#reserve(content.size);
    this.contents[place] = padded(content, this.#clusterSize);
    return first;
  }

  #reserve(size: number): number {
    const first = 2 + this.used;
    const count = Math.ceil(size / this.#clusterSize);
    this.#chains.push({ first, count });
    this.used += count;
    this.contents.push(View.of());
    return first;
  }
}

function padded(view: View, unit: number): View {
  return View.of(view, { kind: 'hole', size: (unit - (view.size % unit)) % unit });
}

function entryOf(name: string | Buffer, attributes: number, cluster: number, size: number): Buffer {
  const entry = Buffer.alloc(32);
  if (typeof name === 'string') entry.write(name.padEnd(11), 0, 'latin1');
  else name.copy(entry);
  entry.writeUInt8(attributes, 11);
  for (const offset of [16, 18, 24]) entry.writeUInt16LE(noDate, offset);
  entry.writeUInt16LE(cluster >>> 16, 20);
  entry.writeUInt16LE(cluster & 0xffff, 26);
  entry.writeUInt32LE(size, 28);
  return entry;
}
