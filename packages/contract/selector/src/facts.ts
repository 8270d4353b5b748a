import { Uint } from './cel/uint.ts';
import { Message, type Value } from './cel/values.ts';
import { prettySize } from './pretty-size.ts';

/** The facts of a disk that selectors can read; every `Disk` has them. */
export type SelectableDisk = {
  readonly devPath: string;
  readonly size: bigint;
  readonly ioSize: number;
  readonly sectorSize: number;
  readonly readonly: boolean;
  readonly cdrom: boolean;
  readonly rotational: boolean;
  readonly model: string;
  readonly serial: string;
  readonly modalias: string;
  readonly wwid: string;
  readonly uuid: string;
  readonly firmwareVersion: string;
  readonly busPath: string;
  readonly subSystem: string;
  readonly transport: string;
  readonly secondaryDisks: readonly string[];
  readonly symlinks: readonly string[];
};

/** The facts of a disk or partition that selectors can read; every `DiscoveredVolume` has them. */
export type SelectableVolume = {
  readonly type: 'disk' | 'partition';
  readonly devPath: string;
  readonly devicePath: string;
  readonly parent: string;
  readonly parentDevPath: string;
  readonly offset: bigint;
  readonly size: bigint;
  readonly sectorSize: number;
  readonly ioSize: number;
  readonly name: string;
  readonly uuid: string;
  readonly label: string;
  readonly blockSize: number;
  readonly filesystemBlockSize: number;
  readonly probedSize: bigint;
  readonly partitionUuid: string;
  readonly partitionType: string;
  readonly partitionLabel: string;
  readonly partitionIndex: number;
};

type FieldType = 'uint' | 'bool' | 'string' | 'bytes' | 'list<string>';

/** A field in CEL: its type, and how it is read from the facts. */
export type Field<T> = readonly [FieldType, (facts: T) => Value];

const uint = (value: bigint | number): Uint => new Uint(value);

/** Fields of `disk` by their names in CEL, which configurations contain: none may be renamed. Sizes are in bytes. */
export const diskFields: Readonly<Record<string, Field<SelectableDisk>>> = {
  size: ['uint', (disk) => uint(disk.size)],
  io_size: ['uint', (disk) => uint(disk.ioSize)],
  sector_size: ['uint', (disk) => uint(disk.sectorSize)],
  readonly: ['bool', (disk) => disk.readonly],
  cdrom: ['bool', (disk) => disk.cdrom],
  rotational: ['bool', (disk) => disk.rotational],
  model: ['string', (disk) => disk.model],
  serial: ['string', (disk) => disk.serial],
  modalias: ['string', (disk) => disk.modalias],
  wwid: ['string', (disk) => disk.wwid],
  uuid: ['string', (disk) => disk.uuid],
  firmware_version: ['string', (disk) => disk.firmwareVersion],
  bus_path: ['string', (disk) => disk.busPath],
  sub_system: ['string', (disk) => disk.subSystem],
  transport: ['string', (disk) => disk.transport],
  dev_path: ['string', (disk) => disk.devPath],
  pretty_size: ['string', (disk) => prettySize(disk.size)],
  secondary_disks: ['list<string>', (disk) => disk.secondaryDisks],
  symlinks: ['list<string>', (disk) => disk.symlinks],
};

/** Fields of `volume` by their names in CEL, which configurations contain: none may be renamed. Sizes are in bytes. */
export const volumeFields: Readonly<Record<string, Field<SelectableVolume>>> = {
  size: ['uint', (volume) => uint(volume.size)],
  sector_size: ['uint', (volume) => uint(volume.sectorSize)],
  io_size: ['uint', (volume) => uint(volume.ioSize)],
  name: ['string', (volume) => volume.name],
  uuid: ['string', (volume) => volume.uuid],
  label: ['string', (volume) => volume.label],
  block_size: ['uint', (volume) => uint(volume.blockSize)],
  filesystem_block_size: ['uint', (volume) => uint(volume.filesystemBlockSize)],
  probed_size: ['uint', (volume) => uint(volume.probedSize)],
  partition_uuid: ['string', (volume) => volume.partitionUuid],
  partition_type: ['string', (volume) => volume.partitionType],
  partition_label: ['string', (volume) => volume.partitionLabel],
  partition_index: ['uint', (volume) => uint(volume.partitionIndex)],
  type: ['string', (volume) => volume.type],
  device_path: ['string', (volume) => volume.devicePath],
  parent: ['string', (volume) => volume.parent],
  dev_path: ['string', (volume) => volume.devPath],
  parent_dev_path: ['string', (volume) => volume.parentDevPath],
  pretty_size: ['string', (volume) => prettySize(volume.size)],
  offset: ['uint', (volume) => uint(volume.offset)],
};

/** The types of a table of fields. */
export function fieldTypes(fields: Readonly<Record<string, Field<never>>>): Record<string, FieldType> {
  return Object.fromEntries(Object.entries(fields).map(([name, [type]]) => [name, type]));
}

/** A CEL message over facts with the fields of a table; each is read at every access. */
export function messageOf<T>(type: string, fields: Readonly<Record<string, Field<T>>>, facts: T): Message {
  return new Message(type, (name) => (Object.hasOwn(fields, name) ? fields[name]?.[1](facts) : undefined));
}
