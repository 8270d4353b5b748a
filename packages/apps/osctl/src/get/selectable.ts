import type { SelectableDisk, SelectableVolume } from '@nodecore/selector';

import type { Fields } from '../output/fields.ts';

/** A `Disks` resource as a selector sees it. What a node did not send is empty, zero or false. */
export function diskOf(spec: Fields): SelectableDisk {
  const fields = new Reader(spec);
  return {
    devPath: fields.text('dev_path'),
    size: fields.bytes('size'),
    ioSize: fields.number('io_size'),
    sectorSize: fields.number('sector_size'),
    readonly: fields.flag('readonly'),
    cdrom: fields.flag('cdrom'),
    rotational: fields.flag('rotational'),
    model: fields.text('model'),
    serial: fields.text('serial'),
    modalias: fields.text('modalias'),
    wwid: fields.text('wwid'),
    uuid: fields.text('uuid'),
    firmwareVersion: fields.text('firmware_version'),
    busPath: fields.text('bus_path'),
    subSystem: fields.text('sub_system'),
    transport: fields.text('transport'),
    secondaryDisks: fields.texts('secondary_disks'),
    symlinks: fields.texts('symlinks'),
  };
}

/** A `DiscoveredVolumes` resource as a selector sees it. What a node did not send is empty, zero or false. */
export function volumeOf(spec: Fields): SelectableVolume {
  const fields = new Reader(spec);
  return {
    type: fields.text('type') === 'partition' ? 'partition' : 'disk',
    devPath: fields.text('dev_path'),
    devicePath: fields.text('device_path'),
    parent: fields.text('parent'),
    parentDevPath: fields.text('parent_dev_path'),
    offset: fields.bytes('offset'),
    size: fields.bytes('size'),
    sectorSize: fields.number('sector_size'),
    ioSize: fields.number('io_size'),
    name: fields.text('name'),
    uuid: fields.text('uuid'),
    label: fields.text('label'),
    blockSize: fields.number('block_size'),
    filesystemBlockSize: fields.number('filesystem_block_size'),
    probedSize: fields.bytes('probed_size'),
    partitionUuid: fields.text('partition_uuid'),
    partitionType: fields.text('partition_type'),
    partitionLabel: fields.text('partition_label'),
    partitionIndex: fields.number('partition_index'),
  };
}

class Reader {
  readonly #spec: Fields;

  constructor(spec: Fields) {
    this.#spec = spec;
  }

  text(name: string): string {
    const value = this.#spec[name];
    return typeof value === 'string' ? value : '';
  }

  texts(name: string): readonly string[] {
    const value = this.#spec[name];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }

  flag(name: string): boolean {
    return this.#spec[name] === true;
  }

  number(name: string): number {
    return Number(this.bytes(name));
  }

  bytes(name: string): bigint {
    const value = this.#spec[name];
    return typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as number | bigint) : 0n;
  }
}
