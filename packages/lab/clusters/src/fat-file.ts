import type { FileHandle } from 'node:fs/promises';

const entryBytes = 32;
const directoryFlag = 0x10;
/** A directory that goes on and on is damaged. */
const largestDirectoryBytes = 1 << 20;
/** Clusters from there on say that a chain ends. */
const lastCluster = 0x0ffffff7;

/**
 * Whether a FAT32 has a file with content at a path of short names, such as `BOOTX64.EFI`. What is no FAT32, or damaged, has none.
 *
 * @param start where it begins in the file of its disk
 */
export async function hasFile(file: FileHandle, start: number, path: readonly string[]): Promise<boolean> {
  const fat = await Fat.open(file, start);
  if (fat === undefined) return false;
  let cluster = fat.root;
  for (const [at, name] of path.entries()) {
    const entry = entryOf(await fat.chain(cluster), shortName(name));
    if (entry === undefined) return false;
    if (at === path.length - 1) return !entry.isDirectory && entry.size > 0 && fat.isCluster(entry.cluster);
    if (!entry.isDirectory) return false;
    ({ cluster } = entry);
  }
  return false;
}

type Entry = { readonly cluster: number; readonly size: number; readonly isDirectory: boolean };

class Fat {
  readonly root: number;
  readonly #file: FileHandle;
  readonly #table: number;
  readonly #data: number;
  readonly #clusterBytes: number;
  readonly #clusters: number;

  private constructor(file: FileHandle, start: number, sector: Buffer) {
    const sectorBytes = sector.readUInt16LE(11);
    const tableSectors = sector.readUInt32LE(36);
    const dataSector = sector.readUInt16LE(14) + sector.readUInt8(16) * tableSectors;
    this.#file = file;
    this.#table = start + sector.readUInt16LE(14) * sectorBytes;
    this.#data = start + dataSector * sectorBytes;
    this.#clusterBytes = sector.readUInt8(13) * sectorBytes;
    this.#clusters = Math.floor(((sector.readUInt32LE(32) - dataSector) * sectorBytes) / this.#clusterBytes);
    this.root = sector.readUInt32LE(44);
  }

  /** Undefined: there is none. */
  static async open(file: FileHandle, start: number): Promise<Fat | undefined> {
    const { buffer: sector, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, start);
    if (bytesRead < 512 || sector.readUInt16LE(510) !== 0xaa55) return undefined;
    if (sector.toString('latin1', 82, 87) !== 'FAT32') return undefined;
    const fits = sector.readUInt16LE(11) >= 512 && sector.readUInt8(13) > 0 && sector.readUInt32LE(36) > 0;
    return fits ? new Fat(file, start, sector) : undefined;
  }

  isCluster(cluster: number): boolean {
    return cluster >= 2 && cluster < this.#clusters + 2;
  }

  /** What lies in a chain of clusters. */
  async chain(first: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let cluster = first;
    while (this.isCluster(cluster) && parts.length * this.#clusterBytes < largestDirectoryBytes) {
      const length = this.#clusterBytes;
      const at = this.#data + (cluster - 2) * length;
      const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, at);
      parts.push(buffer.subarray(0, bytesRead));
      cluster = await this.#next(cluster);
    }
    return Buffer.concat(parts);
  }

  async #next(cluster: number): Promise<number> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(4), 0, 4, this.#table + cluster * 4);
    return bytesRead < 4 ? lastCluster : buffer.readUInt32LE() & 0x0fffffff;
  }
}

function entryOf(directory: Buffer, name: string): Entry | undefined {
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
    const entry = directory.subarray(at, at + entryBytes);
    if (entry.readUInt8(0) === 0) return undefined; // none after it is in use
    const flags = entry.readUInt8(11);
    // A part of a long name, and the label, are no files.
    if ((flags & 0x08) !== 0 || entry.toString('latin1', 0, 11).toUpperCase() !== name) continue;
    return {
      cluster: (entry.readUInt16LE(20) << 16) | entry.readUInt16LE(26),
      size: entry.readUInt32LE(28),
      isDirectory: (flags & directoryFlag) !== 0,
    };
  }
  return undefined;
}

/** `BOOT.EFI` as it stands in a directory. */
function shortName(name: string): string {
  const [base = '', extension = ''] = name.split('.');
  return base.padEnd(8) + extension.padEnd(3);
}
