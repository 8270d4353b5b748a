import { mappingsRoot } from './block-events.ts';
import { ContentReader } from '../content/reader.ts';
import type { DeviceAccess } from '../devices/device-access.ts';
import { DerivedLinks } from '../links/derived-links.ts';
import { type Content, diskVolume, partitionVolume } from '../content/discovered-volume.ts';
import { type DiskFacts, readDisk } from '../facts/disk-facts.ts';
import type { DeviceLinks } from '../links/disk-symlinks.ts';
import type { DiscoveredVolume, Disk } from '../inventory.ts';
import { type KernelPartition, kernelPartitions } from '../facts/kernel-partition.ts';
import type { Device } from '../devices/stuck-devices.ts';
import type { Sysfs } from '../facts/sysfs.ts';

/** A disk as a scan found it. */
export type FoundDisk = {
  readonly disk: Disk;
  readonly volumes: readonly DiscoveredVolume[];
  /** The nodes of the disk and its partitions. */
  readonly devices: readonly Device[];
  readonly identity: string;
  readonly contents: ReadonlyMap<string, Content>;
};

export type DiskScannerOptions = {
  readonly sysfs: Sysfs;
  readonly access: DeviceAccess;
  /** Whether there will be more scans than one. */
  readonly remember: boolean;
  /** Called with each node of a disk or partition right before its content is read. */
  readonly beforeRead: (disk: string, path: string) => void;
};

export type DiskScanOptions = {
  /** The links to each device, by the device's name. Where there is none at all, those that udev would make. */
  readonly symlinks: DeviceLinks;
  /** The last scan's result when the content is known not to have changed since. */
  readonly last?: FoundDisk;
  readonly signal?: AbortSignal;
};

/** Reads the facts of one disk, and what is on it and its partitions. */
export class DiskScanner {
  readonly #options: DiskScannerOptions;
  readonly #contents: ContentReader;

  constructor(options: DiskScannerOptions) {
    this.#options = options;
    this.#contents = new ContentReader(options.access, options.remember);
  }

  /** Undefined when the device is no disk, or no more. */
  async scan(id: string, options: DiskScanOptions): Promise<FoundDisk | undefined> {
    const { sysfs } = this.#options;
    const found = readDisk(sysfs, id);
    if (found === undefined) return undefined;
    const { facts, identity, number, holders, secondaries } = found;
    const { symlinks } = options;
    const derived = symlinks.size === 0 ? new DerivedLinks(sysfs, found) : undefined;
    const last = options.last?.identity === identity ? options.last.contents : new Map<string, Content>();
    const node: Device = { path: facts.devPath, identity: `${identity}/${facts.devPath}` };
    const whole = last.get(node.identity) ?? (await this.#read(facts, node, facts.size, options.signal));
    const place = {
      devicePath: `/sys/${found.directory}`,
      deviceNumber: number,
      holders,
      secondaries,
      symlinks: derived?.ofDisk(whole) ?? symlinks.get(nodeOf(facts.devPath)) ?? [],
    };
    const devices = [node];
    const contents = new Map([[node.identity, whole]]);
    const volumes = [diskVolume(facts, whole, place)];
    for (const partition of kernelPartitions(sysfs, id)) {
      const part = partitionDevice(identity, partition);
      // What the disk does not answer, its partition does not either: it would only hang one more thread.
      const content =
        whole.unresponsive === true
          ? whole
          : (last.get(part.identity) ?? (await this.#read(facts, part, partition.size, options.signal)));
      devices.push(part);
      contents.set(part.identity, content);
      const volume = partitionVolume(facts, partition, content, whole.judgement);
      const made = symlinks.get(nodeOf(partition.devPath)) ?? [];
      volumes.push({ ...volume, symlinks: derived?.ofPartition(volume, content, whole) ?? made });
    }
    return { disk: published(facts, whole, place.symlinks), volumes, devices, identity, contents };
  }

  /** Drops what is remembered about devices that are gone. */
  keepOnly(paths: ReadonlySet<string>): void {
    this.#contents.keepOnly(paths);
  }

  #read(disk: DiskFacts, device: Device, size: bigint, signal: AbortSignal | undefined): Promise<Content> {
    const { beforeRead } = this.#options;
    beforeRead(disk.id, device.path);
    if (disk.mapping !== undefined) beforeRead(disk.id, `${mappingsRoot}/${disk.mapping.name}`);
    return this.#contents.read(device, size, {
      optical: disk.cdrom,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

/** How a link to the device ends: `cciss/c0d0` has a directory of its own. */
function nodeOf(devPath: string): string {
  return devPath.slice('/dev/'.length);
}

function partitionDevice(disk: string, { devPath, offset, size }: KernelPartition): Device {
  return { path: devPath, identity: `${disk}/${devPath}@${offset}+${size}` };
}

function published(facts: DiskFacts, content: Content, symlinks: readonly string[]): Disk {
  const { error, unresponsive, empty } = content;
  return {
    ...facts,
    ...(empty === true ? { size: 0n } : {}),
    symlinks,
    ...(error === undefined ? {} : { error }),
    ...(unresponsive === undefined ? {} : { unresponsive }),
  };
}
