import type { Content } from '../content/discovered-volume.ts';
import { identityNames } from './identity.ts';
import { encoded } from './names.ts';
import { pathNames } from './path.ts';
import type { DiscoveredVolume } from '../inventory.ts';
import type { KernelDisk } from '../facts/disk-facts.ts';
import type { Sysfs } from '../facts/sysfs.ts';

/** Devices that udev's rules for persistent storage are about; those for device-mapper and md are others. */
const storage = /^(loop|mmcblk.*\d$|nvme|sd|sr|vd|xvd|nbd|pmem|bcache|zd)/;

/**
 * The links below `/dev/disk` that udev would make to a disk and its partitions, by the rules that it publishes
 * (60-persistent-storage.rules, 60-persistent-storage-dm.rules, 69-lvm.rules): selectors that name one work on a node
 * without udev, too. They are names only; nobody makes the links.
 *
 * Left out is what can't be known from sysfs and the content: names of arrays of md, and what a disk in a USB enclosure tells
 * of itself besides the enclosure's name.
 */
export class DerivedLinks {
  readonly #disk: KernelDisk;
  readonly #lasting: readonly string[];

  constructor(sysfs: Sysfs, disk: KernelDisk) {
    const { facts, directory } = disk;
    this.#disk = disk;
    this.#lasting = [
      ...identityNames(sysfs, facts.id, directory).map((name) => `by-id/${name}`),
      ...pathNames(sysfs, facts.id, directory).map((name) => `by-path/${name}`),
    ];
  }

  ofDisk(content: Content): readonly string[] {
    const { id, mapping, sequence } = this.#disk.facts;
    const mapped = mapping === undefined ? [] : mappingNames(mapping);
    const counted = storage.test(id) && sequence !== undefined ? [`by-diskseq/${sequence}`] : [];
    return links([...this.#lasting, ...mapped, ...counted, ...this.#contentNames(content)]);
  }

  /** @param whole what is on the disk: which kind of table. */
  ofPartition(
    { partitionIndex, partitionUuid, partitionLabel }: Entry,
    content: Content,
    whole: Content,
  ): readonly string[] {
    const isGpt = whole.judgement?.tableType === 'gpt';
    const label = isGpt && partitionLabel !== '' ? [`by-partlabel/${encoded(partitionLabel)}`] : [];
    return links([
      ...this.#lasting.map((name) => `${name}-part${partitionIndex}`),
      ...(partitionUuid === '' ? [] : [`by-partuuid/${partitionUuid}`]),
      ...label,
      ...this.#contentNames(content),
    ]);
  }

  /** What is only a part of something, a member of an array, is named by what it is a part of. */
  #contentNames({ judgement }: Content): readonly string[] {
    const found = judgement?.signatures.find(
      ({ type, usage }) => type === judgement.name && usage !== 'partition-table',
    );
    if (judgement === undefined || found === undefined) return [];
    const { uuid, label, name } = judgement;
    if (name === 'lvm2-pv') return [`by-id/lvm-pv-uuid-${uuid}`];
    if (found.usage === 'raid') return [];
    const byLabel = label !== '' && (found.usage !== 'crypto' || storage.test(this.#disk.facts.id));
    return [
      ...(uuid === '' ? [] : [`by-uuid/${encoded(uuid)}`]),
      ...(byLabel ? [`by-label/${encoded(label)}`] : []),
    ];
  }
}

type Entry = Pick<DiscoveredVolume, 'partitionIndex' | 'partitionUuid' | 'partitionLabel'>;

function mappingNames({ name, uuid }: { readonly name: string; readonly uuid: string }): readonly string[] {
  return [`by-id/dm-name-${name}`, ...(uuid === '' ? [] : [`by-id/dm-uuid-${uuid}`])];
}

function links(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => `/dev/disk/${name}`))].sort();
}
