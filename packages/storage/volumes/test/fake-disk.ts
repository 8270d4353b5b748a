import type { DiscoveredVolume, Disk, PartitionTable } from '@nodecore/block';

import { signaturesOf, slot, type Region, type Slot } from './fake-region.ts';

const mebibyte = 1n << 20n;

/** One disk of the fake world: its facts, and what is on it. */
export class FakeDisk {
  facts: Disk;
  readonly slot: Slot;
  #answer: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  /** New entries are never finished, and from the first on nothing returns. */
  hangsWhenChanged = false;
  /** New entries are finished with this, and reads return meanwhile. */
  slowChange: Promise<void> | undefined;

  constructor(id: string, sizeMiB: number, options: { region?: Region; facts?: Partial<Disk> } = {}) {
    this.slot = slot(options.region);
    this.facts = { ...diskFacts(id, BigInt(sizeMiB) * mebibyte), ...options.facts };
  }

  get hung(): boolean {
    return this.#answer !== undefined;
  }

  /** Reads don't return as long as this is true. */
  set hung(value: boolean) {
    if (value) {
      this.#answer ??= Promise.withResolvers();
    } else {
      this.#answer?.resolve();
      this.#answer = undefined;
    }
  }

  async answer(): Promise<void> {
    await this.#answer?.promise;
  }

  /** As libfdisk would read it: the free ranges between and after the entries. */
  get table(): PartitionTable | undefined {
    const { region } = this.slot;
    if (region.kind !== 'gpt') return undefined;
    const partitions = region.partitions
      .map((partition) => partition.facts)
      .sort((left, right) => (left.offset < right.offset ? -1 : 1));
    const free: { offset: bigint; size: bigint }[] = [];
    let at = mebibyte;
    for (const partition of [...partitions, { offset: this.facts.size - mebibyte, size: 0n }]) {
      if (partition.offset > at) free.push({ offset: at, size: partition.offset - at });
      at = partition.offset + partition.size;
    }
    const { devPath, sectorSize } = this.facts;
    return { device: devPath, diskGuid: `guid-${this.facts.id}`, sectorSize, partitions, free };
  }

  pathOf(index: number): string {
    return /\d$/.test(this.facts.devPath)
      ? `${this.facts.devPath}p${index}`
      : `${this.facts.devPath}${index}`;
  }

  /** As discovery would list it. */
  volumes(): readonly DiscoveredVolume[] {
    const { id, devPath, size } = this.facts;
    const whole = volumeFacts(id, devPath, size, this.slot);
    const { region } = this.slot;
    if (region.kind !== 'gpt') return [whole];
    const partitions = region.partitions.map(({ facts, slot }) => ({
      ...volumeFacts(facts.devPath.slice('/dev/'.length), facts.devPath, facts.size, slot),
      type: 'partition' as const,
      parent: id,
      parentDevPath: devPath,
      partitionUuid: facts.partitionGuid,
      partitionLabel: facts.label,
      partitionIndex: facts.index,
    }));
    return [whole, ...partitions];
  }
}

export function diskFacts(id: string, size: bigint): Disk {
  return {
    id,
    devPath: `/dev/${id}`,
    size,
    ioSize: 512,
    sectorSize: 512,
    readonly: false,
    cdrom: false,
    rotational: false,
    model: 'fake',
    serial: `serial-${id}`,
    modalias: '',
    wwid: `wwid-${id}`,
    uuid: '',
    firmwareVersion: '',
    busPath: `/pci/${id}`,
    subSystem: 'block',
    transport: 'virtio',
    secondaryDisks: [],
    symlinks: [],
  };
}

function volumeFacts(id: string, devPath: string, size: bigint, slot: Slot): DiscoveredVolume {
  const signatures = signaturesOf(slot.region);
  const [first] = signatures;
  return {
    id,
    type: 'disk',
    devPath,
    devicePath: `/sys/block/${id}`,
    deviceNumber: '',
    parent: '',
    parentDevPath: '',
    offset: 0n,
    size,
    sectorSize: 512,
    ioSize: 512,
    name: first?.type ?? '',
    uuid: first?.uuid ?? '',
    label: first?.label ?? '',
    blockSize: 0,
    filesystemBlockSize: 0,
    probedSize: 0n,
    partitionUuid: '',
    partitionType: '',
    partitionLabel: '',
    partitionIndex: 0,
    signatures,
    holders: [],
    secondaries: [],
    symlinks: [],
  };
}
