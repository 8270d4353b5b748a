import { BlockError } from './errors.ts';
import * as c from './ffi-blkid.ts';

/** What libblkid found, under its own names: `TYPE`, `UUID`, `PTTYPE`, … */
export type Values = ReadonlyMap<string, string>;

/** An entry of the partition table that libblkid read. */
export type TableEntry = {
  readonly index: number;
  readonly uuid: string;
  readonly type: string;
  readonly label: string;
  readonly offset: bigint;
  readonly size: bigint;
};

const described =
  c.BLKID_SUBLKS_LABEL |
  c.BLKID_SUBLKS_UUID |
  c.BLKID_SUBLKS_TYPE |
  c.BLKID_SUBLKS_SECTYPE |
  c.BLKID_SUBLKS_USAGE |
  c.BLKID_SUBLKS_VERSION |
  c.BLKID_SUBLKS_MAGIC |
  c.BLKID_SUBLKS_FSINFO;

/** libblkid takes devices up to this size for floppies, on which a partition table outranks a file system. */
const floppyBytes = 1440n * 1024n;

/** More signatures than there are formats mean that libblkid goes in circles. */
const mostSignatures = 128;

/**
 * One libblkid probe on an open device or file. Every call that may read the device runs on a pool thread; one call at
 * a time. The descriptor stays the caller's and must outlive the probe.
 */
export class BlkidProbe implements Disposable {
  readonly path: string;
  #pointer: c.BlkidProbe | undefined;

  private constructor(pointer: c.BlkidProbe, path: string) {
    this.#pointer = pointer;
    this.path = path;
  }

  static async open(fd: number, path: string): Promise<BlkidProbe> {
    const pointer = c.blkid_new_probe()();
    if (pointer === null) throw failed('blkid_new_probe', path);
    const probe = new BlkidProbe(pointer, path);
    const status = await call((done) => c.blkid_probe_set_device().async(pointer, fd, 0n, 0n, done));
    if (status !== 0) {
      probe[Symbol.dispose]();
      throw failed('blkid_probe_set_device', path);
    }
    return probe;
  }

  get sizeBytes(): bigint {
    return BigInt(c.blkid_probe_get_size()(this.#live));
  }

  get sectorSize(): number {
    return c.blkid_probe_get_sectorsize()(this.#live);
  }

  get isWholeDisk(): boolean {
    return c.blkid_probe_is_wholedisk()(this.#live) === 1;
  }

  /** Every signature, one after the other, also those with a damaged checksum or a GPT without its protective MBR. */
  async enumerate(): Promise<Values[]> {
    this.#configure({
      superblocks: described | c.BLKID_SUBLKS_BADCSUM,
      partitions: c.BLKID_PARTS_MAGIC | c.BLKID_PARTS_FORCE_GPT,
    });
    const found: Values[] = [];
    while (found.length < mostSignatures) {
      const status = await call((done) => c.blkid_do_probe().async(this.#live, done));
      if (status === 1) return found;
      if (status !== 0) throw failed('blkid_do_probe', this.path);
      found.push(this.#values());
    }
    throw failed('blkid_do_probe', this.path);
  }

  /**
   * libblkid's verdict, by the same calls that `blkid -p` makes: the values of the one superblock and the one partition
   * table, `'ambiguous'` when several contradict each other. No values: nothing is recognised.
   */
  async verdict(): Promise<Values | 'ambiguous'> {
    if (this.isWholeDisk && this.sizeBytes <= floppyBytes) {
      this.#configure({ partitions: c.BLKID_PARTS_MAGIC });
      const values = await this.#safeProbe();
      if (values !== 'ambiguous' && values.has('PTTYPE')) return values;
    }
    this.#configure({ superblocks: described, partitions: c.BLKID_PARTS_MAGIC });
    return this.#safeProbe();
  }

  /** The entries of the partition table, none when there is no table. Call it after {@link verdict}. */
  async tableEntries(): Promise<TableEntry[]> {
    const list = await call<c.BlkidPartlist | null>((done) =>
      c.blkid_probe_get_partitions().async(this.#live, done),
    );
    if (list === null) return [];
    return Array.from({ length: c.blkid_partlist_numof_partitions()(list) }, (_, n) => {
      const partition = c.blkid_partlist_get_partition()(list, n);
      if (partition === null) throw failed('blkid_partlist_get_partition', this.path);
      const typeNumber = c.blkid_partition_get_type()(partition);
      return {
        index: c.blkid_partition_get_partno()(partition),
        uuid: c.blkid_partition_get_uuid()(partition) ?? '',
        type: c.blkid_partition_get_type_string()(partition) ?? `0x${typeNumber.toString(16)}`,
        label: c.blkid_partition_get_name()(partition) ?? '',
        offset: BigInt(c.blkid_partition_get_start()(partition)) * 512n,
        size: BigInt(c.blkid_partition_get_size()(partition)) * 512n,
      };
    });
  }

  /** Twice is fine. */
  [Symbol.dispose](): void {
    const pointer = this.#pointer;
    this.#pointer = undefined;
    if (pointer !== undefined) c.blkid_free_probe()(pointer);
  }

  get #live(): c.BlkidProbe {
    if (this.#pointer === undefined) throw new TypeError('probe used after it was freed');
    return this.#pointer;
  }

  async #safeProbe(): Promise<Values | 'ambiguous'> {
    const status = await call((done) => c.blkid_do_safeprobe().async(this.#live, done));
    if (status === -2) return 'ambiguous';
    if (status !== 0 && status !== 1) throw failed('blkid_do_safeprobe', this.path);
    return status === 0 ? this.#values() : new Map();
  }

  #configure(flags: { readonly superblocks?: number; readonly partitions: number }): void {
    const pointer = this.#live;
    c.blkid_reset_probe()(pointer);
    c.blkid_probe_enable_superblocks()(pointer, flags.superblocks === undefined ? 0 : 1);
    c.blkid_probe_set_superblocks_flags()(pointer, flags.superblocks ?? 0);
    c.blkid_probe_enable_partitions()(pointer, 1);
    c.blkid_probe_set_partitions_flags()(pointer, flags.partitions);
  }

  #values(): Values {
    const pointer = this.#live;
    const values = new Map<string, string>();
    for (let n = 0; n < c.blkid_probe_numof_values()(pointer); n += 1) {
      const name: [string | null] = [null];
      const data: [string | null] = [null];
      const length: [number | null] = [null];
      c.blkid_probe_get_value()(pointer, n, name, data, length);
      if (name[0] !== null && data[0] !== null) values.set(name[0], data[0]);
    }
    return values;
  }
}

function failed(call: string, path: string): BlockError {
  return new BlockError('ERR_BLOCK_FAILED', path, `${call} on ${path}: it can't be read`);
}

function call<T>(start: (done: (error: unknown, result: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, result) => {
      if (error === null || error === undefined) resolve(result);
      else reject(error instanceof Error ? error : new Error('koffi call failed', { cause: error }));
    });
  });
}
