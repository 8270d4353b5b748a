/**
 * libfdisk.so.1, function by function, exactly as its header has them. No logic here.
 *
 * A context and what hangs on it belong to one caller at a time; contexts know nothing of each other.
 */
import { koffi, lazy, loadLibrary } from '@nodecore/sys';
import type { KoffiFunc } from 'koffi';

// Koffi pointers are bare bigints: C would accept any of them anywhere. The brand makes tsc refuse.
declare const brand: unique symbol;
export type FdiskContext = bigint & { readonly [brand]: 'fdisk_context' };
export type FdiskTable = bigint & { readonly [brand]: 'fdisk_table' };
export type FdiskPartition = bigint & { readonly [brand]: 'fdisk_partition' };
export type FdiskParttype = bigint & { readonly [brand]: 'fdisk_parttype' };

type Out<T> = [T | null];
type Status = number; // 0, or a negative errno; questions answer 1 for yes

koffi().opaque('fdisk_context');
koffi().opaque('fdisk_table');
koffi().opaque('fdisk_partition');
koffi().opaque('fdisk_parttype');
koffi().opaque('fdisk_label');
koffi().disposable('fdisk_owned_string', 'char *'); // the caller frees it

const library = lazy(() => loadLibrary('libfdisk.so.1', { debian: 'libfdisk1', fedora: 'libfdisk' }));

/** A function that is bound at first use: importing this file needs no library. */
type Bound<T extends (...parameters: never[]) => unknown> = () => KoffiFunc<T>;

function bind<T extends (...parameters: never[]) => unknown>(definition: string): Bound<T> {
  return lazy(() => library().func(definition) as KoffiFunc<T>);
}

/** The id of the GUID partition table for {@link fdisk_is_labeltype}. */
export const FDISK_DISKLABEL_GPT: number = 1 << 5;

/** Null when memory runs out. The caller frees the context with {@link fdisk_unref_context}. */
export const fdisk_new_context: Bound<() => FdiskContext | null> = bind('fdisk_context *fdisk_new_context()');
/** Takes the reference: the pointer is dead after this call. */
export const fdisk_unref_context: Bound<(cxt: FdiskContext) => void> = bind(
  'void fdisk_unref_context(fdisk_context *cxt)',
);
/** With 1, libfdisk asks no questions and takes its defaults. */
export const fdisk_disable_dialogs: Bound<(cxt: FdiskContext, disable: number) => Status> = bind(
  'int fdisk_disable_dialogs(fdisk_context *cxt, int disable)',
);
/** The descriptor stays the caller's. Reads the device. */
export const fdisk_assign_device_by_fd: Bound<
  (cxt: FdiskContext, fd: number, fname: string, readonly_: number) => Status
> = bind('int fdisk_assign_device_by_fd(fdisk_context *cxt, int fd, const char *fname, int readonly_)');
/** With nosync = 0 it would call sync(2) for the whole machine. */
export const fdisk_deassign_device: Bound<(cxt: FdiskContext, nosync: number) => Status> = bind(
  'int fdisk_deassign_device(fdisk_context *cxt, int nosync)',
);
/** 1: the device had a table that libfdisk knows when it was assigned, or one was created in memory since. */
export const fdisk_has_label: Bound<(cxt: FdiskContext) => Status> = bind(
  'int fdisk_has_label(fdisk_context *cxt)',
);
/** 1: the table of the context is of the type `id`, an `FDISK_DISKLABEL_` constant. */
export const fdisk_is_labeltype: Bound<(cxt: FdiskContext, id: number) => Status> = bind(
  'int fdisk_is_labeltype(fdisk_context *cxt, int id)',
);
/** 1: the MBR before the GUID table has partitions of its own besides the protective one. */
export const fdisk_gpt_is_hybrid: Bound<(cxt: FdiskContext) => Status> = bind(
  'int fdisk_gpt_is_hybrid(fdisk_context *cxt)',
);
/** Null as the name asks for the context's present label. The result belongs to the context and lives as long. */
export const fdisk_get_label: Bound<(cxt: FdiskContext, name: string | null) => bigint | null> = bind(
  'fdisk_label *fdisk_get_label(fdisk_context *cxt, const char *name)',
);
/** The short name, such as `gpt` or `dos`. */
export const fdisk_label_get_name: Bound<(lb: bigint) => string | null> = bind(
  'const char *fdisk_label_get_name(fdisk_label *lb)',
);
/** The logical sector size in bytes: the unit of all starts, sizes and LBAs here. */
export const fdisk_get_sector_size: Bound<(cxt: FdiskContext) => number> = bind(
  'unsigned long fdisk_get_sector_size(fdisk_context *cxt)',
);
/** The first sector that a partition may have, as the GUID table's header says. */
export const fdisk_get_first_lba: Bound<(cxt: FdiskContext) => number | bigint> = bind(
  'uint64_t fdisk_get_first_lba(fdisk_context *cxt)',
);
/** The last sector that a partition may have, inclusive, as the GUID table's header says. */
export const fdisk_get_last_lba: Bound<(cxt: FdiskContext) => number | bigint> = bind(
  'uint64_t fdisk_get_last_lba(fdisk_context *cxt)',
);
/** The max number of entries of the table, used or not; a new GUID table has 128. */
export const fdisk_get_npartitions: Bound<(cxt: FdiskContext) => number | bigint> = bind(
  'size_t fdisk_get_npartitions(fdisk_context *cxt)',
);
/** Writes the disk's GUID in upper case to `id`; koffi copies the string and frees the original. */
export const fdisk_get_disklabel_id: Bound<(cxt: FdiskContext, id: Out<string>) => Status> = bind(
  'int fdisk_get_disklabel_id(fdisk_context *cxt, _Out_ fdisk_owned_string *id)',
);
/** Since 2.36. */
export const fdisk_set_disklabel_id_from_string: Bound<(cxt: FdiskContext, id: string) => Status> = bind(
  'int fdisk_set_disklabel_id_from_string(fdisk_context *cxt, const char *str)',
);
/**
 * Replaces the table by an empty one of the named type with a random GUID, in memory; the device changes with {@link
 * fdisk_write_disklabel}.
 */
export const fdisk_create_disklabel: Bound<(cxt: FdiskContext, name: string) => Status> = bind(
  'int fdisk_create_disklabel(fdisk_context *cxt, const char *name)',
);
/** Writes the table in memory to the device; blocks, so call it on a pool thread. Does not tell the kernel. */
export const fdisk_write_disklabel: Bound<(cxt: FdiskContext) => Status> = bind(
  'int fdisk_write_disklabel(fdisk_context *cxt)',
);

/** Allocates a table of the partitions in memory; the caller frees it with {@link fdisk_unref_table}. */
export const fdisk_get_partitions: Bound<(cxt: FdiskContext, tb: Out<FdiskTable>) => Status> = bind(
  'int fdisk_get_partitions(fdisk_context *cxt, _Out_ fdisk_table **tb)',
);
/** Takes the reference: the table and every partition borrowed from it are dead after this call. */
export const fdisk_unref_table: Bound<(tb: FdiskTable) => void> = bind(
  'void fdisk_unref_table(fdisk_table *tb)',
);
/** The number of partitions in the table, the upper bound of `n` in {@link fdisk_table_get_partition}. */
export const fdisk_table_get_nents: Bound<(tb: FdiskTable) => number | bigint> = bind(
  'size_t fdisk_table_get_nents(fdisk_table *tb)',
);
/** The partition belongs to the table and lives as long. */
export const fdisk_table_get_partition: Bound<(tb: FdiskTable, n: number) => FdiskPartition | null> = bind(
  'fdisk_partition *fdisk_table_get_partition(fdisk_table *tb, size_t n)',
);

/** A template with no field set; null when memory runs out. The caller frees it with {@link fdisk_unref_partition}. */
export const fdisk_new_partition: Bound<() => FdiskPartition | null> = bind(
  'fdisk_partition *fdisk_new_partition()',
);
/** Takes the reference. Not for partitions that were borrowed from a table. */
export const fdisk_unref_partition: Bound<(pa: FdiskPartition) => void> = bind(
  'void fdisk_unref_partition(fdisk_partition *pa)',
);
/** 1: the entry describes a partition; 0: it is empty. */
export const fdisk_partition_is_used: Bound<(pa: FdiskPartition) => Status> = bind(
  'int fdisk_partition_is_used(fdisk_partition *pa)',
);
/** Counts from 0. */
export const fdisk_partition_get_partno: Bound<(pa: FdiskPartition) => number | bigint> = bind(
  'size_t fdisk_partition_get_partno(fdisk_partition *pa)',
);
/** The first sector; all bits set when none is set. */
export const fdisk_partition_get_start: Bound<(pa: FdiskPartition) => number | bigint> = bind(
  'uint64_t fdisk_partition_get_start(fdisk_partition *pa)',
);
/** The length in sectors; all bits set when none is set. */
export const fdisk_partition_get_size: Bound<(pa: FdiskPartition) => number | bigint> = bind(
  'uint64_t fdisk_partition_get_size(fdisk_partition *pa)',
);
/** The partition's GUID in upper case, which koffi copies; null when none is set. */
export const fdisk_partition_get_uuid: Bound<(pa: FdiskPartition) => string | null> = bind(
  'const char *fdisk_partition_get_uuid(fdisk_partition *pa)',
);
/** The label of the GUID table's entry in UTF-8, which koffi copies; null when none is set. */
export const fdisk_partition_get_name: Bound<(pa: FdiskPartition) => string | null> = bind(
  'const char *fdisk_partition_get_name(fdisk_partition *pa)',
);
/** Borrowed from the partition. */
export const fdisk_partition_get_type: Bound<(pa: FdiskPartition) => FdiskParttype | null> = bind(
  'fdisk_parttype *fdisk_partition_get_type(fdisk_partition *pa)',
);
/** Counts from 0. */
export const fdisk_partition_set_partno: Bound<(pa: FdiskPartition, num: number) => Status> = bind(
  'int fdisk_partition_set_partno(fdisk_partition *pa, size_t num)',
);
/** In sectors from the beginning of the disk. */
export const fdisk_partition_set_start: Bound<(pa: FdiskPartition, off: bigint) => Status> = bind(
  'int fdisk_partition_set_start(fdisk_partition *pa, uint64_t off)',
);
/** In sectors; exact only with {@link fdisk_partition_size_explicit}. */
export const fdisk_partition_set_size: Bound<(pa: FdiskPartition, sz: bigint) => Status> = bind(
  'int fdisk_partition_set_size(fdisk_partition *pa, uint64_t sz)',
);
/** Otherwise the end is moved to the alignment. */
export const fdisk_partition_size_explicit: Bound<(pa: FdiskPartition, enable: number) => Status> = bind(
  'int fdisk_partition_size_explicit(fdisk_partition *pa, int enable)',
);
/** Copies the string. Without it, {@link fdisk_add_partition} takes a random GUID. */
export const fdisk_partition_set_uuid: Bound<(pa: FdiskPartition, uuid: string) => Status> = bind(
  'int fdisk_partition_set_uuid(fdisk_partition *pa, const char *uuid)',
);
/** Copies the string: UTF-8, of which the entry of a GUID table holds 36 UTF-16 units. */
export const fdisk_partition_set_name: Bound<(pa: FdiskPartition, name: string) => Status> = bind(
  'int fdisk_partition_set_name(fdisk_partition *pa, const char *name)',
);
/** Takes a reference of its own. */
export const fdisk_partition_set_type: Bound<(pa: FdiskPartition, type: FdiskParttype) => Status> = bind(
  'int fdisk_partition_set_type(fdisk_partition *pa, fdisk_parttype *type)',
);
/** An empty type; null when memory runs out. The caller frees it with {@link fdisk_unref_parttype}. */
export const fdisk_new_parttype: Bound<() => FdiskParttype | null> = bind(
  'fdisk_parttype *fdisk_new_parttype()',
);
/** Takes the reference; a partition that got the type keeps its own. */
export const fdisk_unref_parttype: Bound<(t: FdiskParttype) => void> = bind(
  'void fdisk_unref_parttype(fdisk_parttype *t)',
);
/** Copies the string: of a GUID table, the type's GUID. */
export const fdisk_parttype_set_typestr: Bound<(t: FdiskParttype, str: string) => Status> = bind(
  'int fdisk_parttype_set_typestr(fdisk_parttype *t, const char *str)',
);
/** Of a GUID table, the type's GUID, which koffi copies; null for types that are numbers. */
export const fdisk_parttype_get_string: Bound<(t: FdiskParttype) => string | null> = bind(
  'const char *fdisk_parttype_get_string(fdisk_parttype *t)',
);

/**
 * Adds an entry in memory as the template says, and writes its number, from 0, to `partno`. The template stays the caller's.
 */
export const fdisk_add_partition: Bound<
  (cxt: FdiskContext, pa: FdiskPartition, partno: Out<number | bigint>) => Status
> = bind('int fdisk_add_partition(fdisk_context *cxt, fdisk_partition *pa, _Out_ size_t *partno)');
/** Empties the entry in memory; `partno` counts from 0, and other entries keep their numbers. */
export const fdisk_delete_partition: Bound<(cxt: FdiskContext, partno: number) => Status> = bind(
  'int fdisk_delete_partition(fdisk_context *cxt, size_t partno)',
);
/** Changes the entry `partno`, from 0, in memory; fields that the template has not set stay as they are. */
export const fdisk_set_partition: Bound<(cxt: FdiskContext, partno: number, pa: FdiskPartition) => Status> =
  bind('int fdisk_set_partition(fdisk_context *cxt, size_t partno, fdisk_partition *pa)');
/** Writes all 64 attribute bits of the entry `partnum`, from 0, to `attrs`. */
export const fdisk_gpt_get_partition_attrs: Bound<
  (cxt: FdiskContext, partnum: number, attrs: Out<number | bigint>) => Status
> = bind('int fdisk_gpt_get_partition_attrs(fdisk_context *cxt, size_t partnum, _Out_ uint64_t *attrs)');
/** Replaces all 64 attribute bits of the entry `partnum`, from 0, in memory. */
export const fdisk_gpt_set_partition_attrs: Bound<
  (cxt: FdiskContext, partnum: number, attrs: bigint) => Status
> = bind('int fdisk_gpt_set_partition_attrs(fdisk_context *cxt, size_t partnum, uint64_t attrs)');
