/** The BLKPG ioctl with its structures (linux/blkpg.h): changes one partition of the kernel. No logic here. */
import { koffi, lazy, loadLibrary, type WithErrno, withErrno } from '@nodecore/sys';

/** The request number, `_IO(0x12, 105)`. */
export const BLKPG = 0x1269;
/** The kernel gets a partition of this number. EBUSY when the number is taken, or its range overlaps another partition. */
export const BLKPG_ADD_PARTITION = 1;
/** The kernel forgets the partition of this number. EBUSY while it is open. */
export const BLKPG_DEL_PARTITION = 2;
/** The partition of this number gets another length, even while it is open. EINVAL when `start` is not its present one. */
export const BLKPG_RESIZE_PARTITION = 3;

/** In bytes; the names are ignored by the kernel. */
export type BlkpgPartition = {
  readonly start: bigint;
  readonly length: bigint;
  readonly pno: number;
  readonly devname: string;
  readonly volname: string;
};

const blkpg_partition = koffi().struct('blkpg_partition', {
  start: 'int64_t',
  length: 'int64_t',
  pno: 'int',
  devname: koffi().array('char', 64),
  volname: koffi().array('char', 64),
});

koffi().struct('blkpg_ioctl_arg', {
  op: 'int',
  flags: 'int',
  datalen: 'int',
  data: koffi().pointer(blkpg_partition),
});

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
const bound = lazy(() => libc().func('int ioctl(int fd, unsigned long request, blkpg_ioctl_arg *argument)'));

/**
 * On a whole disk's descriptor, with `op` a `BLKPG_` operation. Changes only the kernel's partitions, nothing on the disk.
 * Needs CAP_SYS_ADMIN.
 */
export function ioctl_blkpg(fd: number, op: number, partition: BlkpgPartition): Promise<WithErrno<number>> {
  const argument = { op, flags: 0, datalen: koffi().sizeof(blkpg_partition), data: partition };
  return withErrno<number>((done) => bound().async(fd, BLKPG, argument, done));
}
