import { errnoName } from '@nodecore/sys';

import type { DeviceFile } from '../devices/device-file.ts';
import { BlockError } from '../errors.ts';
import * as c from './ffi-fdisk.ts';

/** An entry of a GUID partition table, in sectors. */
export type GptEntry = {
  /** From 1. */
  readonly index: number;
  readonly partitionGuid: string;
  readonly typeGuid: string;
  readonly label: string;
  readonly firstLba: bigint;
  readonly sectors: bigint;
  readonly attributes: bigint;
};

/** What libfdisk recognises on a device: nothing, a GUID table, or another kind, by its name. */
export type LabelKind = 'none' | 'gpt' | (string & {});

/**
 * One libfdisk context on an open device. Changes are made in memory and reach the device with {@link write}. Nothing
 * is asked and nothing is printed. Calls that touch the device run on pool threads and can't be interrupted.
 */
export class FdiskContext implements AsyncDisposable {
  readonly #device: DeviceFile;
  #pointer: c.FdiskContext | undefined;

  private constructor(device: DeviceFile, pointer: c.FdiskContext) {
    this.#device = device;
    this.#pointer = pointer;
  }

  /** Reads what is on the device. The device must stay open as long as the context. */
  static async open(device: DeviceFile): Promise<FdiskContext> {
    const pointer = c.fdisk_new_context()();
    if (pointer === null)
      throw new BlockError('ERR_BLOCK_FAILED', device.path, 'fdisk_new_context: out of memory');
    const context = new FdiskContext(device, pointer);
    c.fdisk_disable_dialogs()(pointer, 1);
    try {
      // "Not read-only" even where nothing is written: only then a table on a grown disk is shown as it would be written.
      const status = await call<number>(device, (done) =>
        c.fdisk_assign_device_by_fd().async(pointer, device.fd, device.path, 0, done),
      );
      context.#check('fdisk_assign_device_by_fd', status);
    } catch (error) {
      c.fdisk_unref_context()(pointer);
      throw error;
    }
    return context;
  }

  get kind(): LabelKind {
    if (c.fdisk_has_label()(this.#live) !== 1) return 'none';
    if (c.fdisk_is_labeltype()(this.#live, c.FDISK_DISKLABEL_GPT) === 1) return 'gpt';
    const label = c.fdisk_get_label()(this.#live, null);
    return (label === null ? null : c.fdisk_label_get_name()(label)) ?? 'unknown';
  }

  /** The protective MBR also has partitions of its own, which a change would lose. */
  get isHybrid(): boolean {
    return c.fdisk_gpt_is_hybrid()(this.#live) === 1;
  }

  get sectorSize(): number {
    return c.fdisk_get_sector_size()(this.#live);
  }

  get firstUsableLba(): bigint {
    return BigInt(c.fdisk_get_first_lba()(this.#live));
  }

  get lastUsableLba(): bigint {
    return BigInt(c.fdisk_get_last_lba()(this.#live));
  }

  /** How many entries the table has room for. */
  get capacity(): number {
    return Number(c.fdisk_get_npartitions()(this.#live));
  }

  get diskGuid(): string {
    const id: [string | null] = [null];
    this.#check('fdisk_get_disklabel_id', c.fdisk_get_disklabel_id()(this.#live, id));
    return (id[0] ?? '').toLowerCase();
  }

  /** In the order of their numbers. */
  entries(): GptEntry[] {
    const out: [c.FdiskTable | null] = [null];
    this.#check('fdisk_get_partitions', c.fdisk_get_partitions()(this.#live, out));
    const table = out[0];
    if (table === null) return [];
    try {
      const count = Number(c.fdisk_table_get_nents()(table));
      return Array.from({ length: count }, (_, n) => c.fdisk_table_get_partition()(table, n))
        .flatMap((partition) => (partition === null ? [] : this.#entry(partition)))
        .sort((one, other) => one.index - other.index);
    } finally {
      c.fdisk_unref_table()(table);
    }
  }

  /** An empty GUID table, in memory. */
  create(diskGuid: string | undefined): void {
    this.#check('fdisk_create_disklabel', c.fdisk_create_disklabel()(this.#live, 'gpt'));
    if (diskGuid === undefined) return;
    const status = c.fdisk_set_disklabel_id_from_string()(this.#live, diskGuid);
    this.#check('fdisk_set_disklabel_id_from_string', status);
  }

  /** A new entry, in memory, exactly where and under the number it is given. */
  add(entry: GptEntry): void {
    const type = required(c.fdisk_new_parttype()());
    const partition = required(c.fdisk_new_partition()());
    try {
      this.#check('fdisk_parttype_set_typestr', c.fdisk_parttype_set_typestr()(type, entry.typeGuid));
      this.#check('fdisk_partition_set_type', c.fdisk_partition_set_type()(partition, type));
      this.#check('fdisk_partition_set_partno', c.fdisk_partition_set_partno()(partition, entry.index - 1));
      this.#check('fdisk_partition_set_start', c.fdisk_partition_set_start()(partition, entry.firstLba));
      this.#check('fdisk_partition_set_size', c.fdisk_partition_set_size()(partition, entry.sectors));
      this.#check('fdisk_partition_size_explicit', c.fdisk_partition_size_explicit()(partition, 1));
      this.#check('fdisk_partition_set_uuid', c.fdisk_partition_set_uuid()(partition, entry.partitionGuid));
      this.#check('fdisk_partition_set_name', c.fdisk_partition_set_name()(partition, entry.label));
      this.#check('fdisk_add_partition', c.fdisk_add_partition()(this.#live, partition, [null]));
    } finally {
      c.fdisk_unref_partition()(partition);
      c.fdisk_unref_parttype()(type);
    }
    this.setAttributes(entry.index, entry.attributes);
  }

  /** Takes an entry away, in memory; no other gets its number. */
  remove(index: number): void {
    this.#check('fdisk_delete_partition', c.fdisk_delete_partition()(this.#live, index - 1));
  }

  setAttributes(index: number, attributes: bigint): void {
    const status = c.fdisk_gpt_set_partition_attrs()(this.#live, index - 1, attributes);
    this.#check('fdisk_gpt_set_partition_attrs', status);
  }

  /** Another size from the same start, in memory. */
  resize(index: number, sectors: bigint): void {
    const partition = required(c.fdisk_new_partition()());
    try {
      this.#check('fdisk_partition_set_size', c.fdisk_partition_set_size()(partition, sectors));
      this.#check('fdisk_partition_size_explicit', c.fdisk_partition_size_explicit()(partition, 1));
      this.#check('fdisk_set_partition', c.fdisk_set_partition()(this.#live, index - 1, partition));
    } finally {
      c.fdisk_unref_partition()(partition);
    }
  }

  /** Second copy first, each copy entries before header, the protective MBR at the end. */
  async write(): Promise<void> {
    const status = await call<number>(this.#device, (done) =>
      c.fdisk_write_disklabel().async(this.#live, done),
    );
    this.#check('fdisk_write_disklabel', status);
  }

  /** Twice is fine. */
  async [Symbol.asyncDispose](): Promise<void> {
    const pointer = this.#pointer;
    this.#pointer = undefined;
    if (pointer === undefined) return;
    await call<number>(this.#device, (done) => c.fdisk_deassign_device().async(pointer, 1, done));
    c.fdisk_unref_context()(pointer);
  }

  get #live(): c.FdiskContext {
    if (this.#pointer === undefined) throw new TypeError('libfdisk context used after it was freed');
    return this.#pointer;
  }

  #entry(partition: c.FdiskPartition): GptEntry[] {
    if (c.fdisk_partition_is_used()(partition) !== 1) return [];
    const number = Number(c.fdisk_partition_get_partno()(partition));
    const type = c.fdisk_partition_get_type()(partition);
    const attributes: [number | bigint | null] = [null];
    const status = c.fdisk_gpt_get_partition_attrs()(this.#live, number, attributes);
    this.#check('fdisk_gpt_get_partition_attrs', status);
    return [
      {
        index: number + 1,
        partitionGuid: (c.fdisk_partition_get_uuid()(partition) ?? '').toLowerCase(),
        typeGuid: (type === null ? '' : (c.fdisk_parttype_get_string()(type) ?? '')).toLowerCase(),
        label: c.fdisk_partition_get_name()(partition) ?? '',
        firstLba: BigInt(c.fdisk_partition_get_start()(partition)),
        sectors: BigInt(c.fdisk_partition_get_size()(partition)),
        attributes: BigInt(attributes[0] ?? 0),
      },
    ];
  }

  #check(name: string, status: number): void {
    if (status >= 0) return;
    const errno = errnoName(status);
    throw new BlockError('ERR_BLOCK_FAILED', this.#device.path, `${name} on ${this.#device.path}: ${errno}`, {
      errno,
    });
  }
}

function required<T>(pointer: T | null): T {
  if (pointer === null) throw new Error('libfdisk: out of memory');
  return pointer;
}

function call<T>(device: DeviceFile, start: (done: (error: unknown, result: T) => void) => void): Promise<T> {
  return device.watched(
    () =>
      new Promise((resolve, reject) => {
        start((error, result) => {
          if (error === null || error === undefined) resolve(result);
          else reject(error instanceof Error ? error : new Error('koffi call failed', { cause: error }));
        });
      }),
  );
}
