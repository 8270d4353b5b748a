/**
 * libblkid.so.1, function by function, exactly as its header has them. No logic here.
 *
 * Probes are independent of each other: libblkid keeps no state between them, so they may run on several threads.
 */
import { lazy, loadLibrary } from '@nodecore/sys';
import koffi, { type KoffiFunc } from 'koffi';

// Koffi pointers are bare bigints: C would accept any of them anywhere. The brand makes tsc refuse.
declare const brand: unique symbol;
export type BlkidProbe = bigint & { readonly [brand]: 'blkid_probe' };
export type BlkidPartlist = bigint & { readonly [brand]: 'blkid_partlist' };
export type BlkidPartition = bigint & { readonly [brand]: 'blkid_partition' };

type Out<T> = [T | null];
type Status = number;

koffi.alias('blkid_probe', koffi.pointer(koffi.opaque('blkid_struct_probe')));
koffi.alias('blkid_partlist', koffi.pointer(koffi.opaque('blkid_struct_partlist')));
koffi.alias('blkid_partition', koffi.pointer(koffi.opaque('blkid_struct_partition')));
koffi.alias('blkid_loff_t', 'int64_t');

const library = lazy(() => loadLibrary('libblkid.so.1', { debian: 'libblkid1', fedora: 'libblkid' }));

/** A function that is bound at first use: importing this file needs no library. */
type Bound<T extends (...parameters: never[]) => unknown> = () => KoffiFunc<T>;

function bind<T extends (...parameters: never[]) => unknown>(definition: string): Bound<T> {
  return lazy(() => library().func(definition) as KoffiFunc<T>);
}

export const blkid_new_probe: Bound<() => BlkidProbe | null> = bind('blkid_probe blkid_new_probe()');
/** Takes the pointer: it is dead after this call. The descriptor stays the caller's. */
export const blkid_free_probe: Bound<(pr: BlkidProbe) => void> = bind(
  'void blkid_free_probe(blkid_probe pr)',
);
export const blkid_reset_probe: Bound<(pr: BlkidProbe) => void> = bind(
  'void blkid_reset_probe(blkid_probe pr)',
);
export const blkid_probe_set_device: Bound<
  (pr: BlkidProbe, fd: number, off: bigint, size: bigint) => Status
> = bind('int blkid_probe_set_device(blkid_probe pr, int fd, blkid_loff_t off, blkid_loff_t size)');
export const blkid_probe_get_size: Bound<(pr: BlkidProbe) => number | bigint> = bind(
  'blkid_loff_t blkid_probe_get_size(blkid_probe pr)',
);
export const blkid_probe_get_sectorsize: Bound<(pr: BlkidProbe) => number> = bind(
  'unsigned int blkid_probe_get_sectorsize(blkid_probe pr)',
);
export const blkid_probe_is_wholedisk: Bound<(pr: BlkidProbe) => Status> = bind(
  'int blkid_probe_is_wholedisk(blkid_probe pr)',
);
export const blkid_probe_enable_superblocks: Bound<(pr: BlkidProbe, enable: number) => Status> = bind(
  'int blkid_probe_enable_superblocks(blkid_probe pr, int enable)',
);
export const blkid_probe_set_superblocks_flags: Bound<(pr: BlkidProbe, flags: number) => Status> = bind(
  'int blkid_probe_set_superblocks_flags(blkid_probe pr, int flags)',
);
export const blkid_probe_enable_partitions: Bound<(pr: BlkidProbe, enable: number) => Status> = bind(
  'int blkid_probe_enable_partitions(blkid_probe pr, int enable)',
);
export const blkid_probe_set_partitions_flags: Bound<(pr: BlkidProbe, flags: number) => Status> = bind(
  'int blkid_probe_set_partitions_flags(blkid_probe pr, int flags)',
);
/** 0 = one more result, 1 = no more, -1 = error. */
export const blkid_do_probe: Bound<(pr: BlkidProbe) => Status> = bind('int blkid_do_probe(blkid_probe pr)');
/** 0 = a result, 1 = nothing, -1 = error, -2 = ambivalent. */
export const blkid_do_safeprobe: Bound<(pr: BlkidProbe) => Status> = bind(
  'int blkid_do_safeprobe(blkid_probe pr)',
);
export const blkid_probe_numof_values: Bound<(pr: BlkidProbe) => number> = bind(
  'int blkid_probe_numof_values(blkid_probe pr)',
);
export const blkid_probe_get_value: Bound<
  (pr: BlkidProbe, index: number, name: Out<string>, data: Out<string>, len: Out<number | bigint>) => Status
> = bind(
  'int blkid_probe_get_value(blkid_probe pr, int num, _Out_ const char **name, _Out_ const char **data, _Out_ size_t *len)',
);
/** The list belongs to the probe and lives as long. */
export const blkid_probe_get_partitions: Bound<(pr: BlkidProbe) => BlkidPartlist | null> = bind(
  'blkid_partlist blkid_probe_get_partitions(blkid_probe pr)',
);
export const blkid_partlist_numof_partitions: Bound<(ls: BlkidPartlist) => number> = bind(
  'int blkid_partlist_numof_partitions(blkid_partlist ls)',
);
export const blkid_partlist_get_partition: Bound<(ls: BlkidPartlist, n: number) => BlkidPartition | null> =
  bind('blkid_partition blkid_partlist_get_partition(blkid_partlist ls, int n)');
export const blkid_partition_get_partno: Bound<(par: BlkidPartition) => number> = bind(
  'int blkid_partition_get_partno(blkid_partition par)',
);
export const blkid_partition_get_name: Bound<(par: BlkidPartition) => string | null> = bind(
  'const char *blkid_partition_get_name(blkid_partition par)',
);
export const blkid_partition_get_uuid: Bound<(par: BlkidPartition) => string | null> = bind(
  'const char *blkid_partition_get_uuid(blkid_partition par)',
);
export const blkid_partition_get_type: Bound<(par: BlkidPartition) => number> = bind(
  'int blkid_partition_get_type(blkid_partition par)',
);
export const blkid_partition_get_type_string: Bound<(par: BlkidPartition) => string | null> = bind(
  'const char *blkid_partition_get_type_string(blkid_partition par)',
);
/** In sectors of 512 bytes, as is the size. */
export const blkid_partition_get_start: Bound<(par: BlkidPartition) => number | bigint> = bind(
  'blkid_loff_t blkid_partition_get_start(blkid_partition par)',
);
export const blkid_partition_get_size: Bound<(par: BlkidPartition) => number | bigint> = bind(
  'blkid_loff_t blkid_partition_get_size(blkid_partition par)',
);

export const BLKID_SUBLKS_LABEL: number = 1 << 1;
export const BLKID_SUBLKS_UUID: number = 1 << 3;
export const BLKID_SUBLKS_TYPE: number = 1 << 5;
export const BLKID_SUBLKS_SECTYPE: number = 1 << 6;
export const BLKID_SUBLKS_USAGE: number = 1 << 7;
export const BLKID_SUBLKS_VERSION: number = 1 << 8;
export const BLKID_SUBLKS_MAGIC: number = 1 << 9;
export const BLKID_SUBLKS_BADCSUM: number = 1 << 10;
/** Since 2.39; older libraries ignore the bit. */
export const BLKID_SUBLKS_FSINFO: number = 1 << 11;
export const BLKID_PARTS_FORCE_GPT: number = 1 << 1;
export const BLKID_PARTS_ENTRY_DETAILS: number = 1 << 2;
export const BLKID_PARTS_MAGIC: number = 1 << 3;
