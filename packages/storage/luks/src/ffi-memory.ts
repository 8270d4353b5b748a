/** Memory that is mapped only so that the kernel finds it, from libc. No logic here. */
import { lazy, loadLibrary } from '@nodecore/sys';
import type { KoffiFunc } from 'koffi';

type Address = bigint;

// asm-generic/mman-common.h, mman.h
const PROT_READ_WRITE = 0x1 | 0x2;
const MAP_PRIVATE_ANONYMOUS_POPULATE = 0x02 | 0x20 | 0x8000;
const MAP_FAILED = 0xffff_ffff_ffff_ffffn;

const libc = lazy(() => {
  const lib = loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' });
  return {
    mmap: lib.func(
      'uintptr_t mmap(uintptr_t addr, size_t length, int prot, int flags, int fd, int64_t offset)',
    ) as KoffiFunc<
      (
        addr: number,
        length: number,
        prot: number,
        flags: number,
        fd: number,
        offset: number,
      ) => number | bigint
    >,
    munmap: lib.func('int munmap(uintptr_t addr, size_t length)') as KoffiFunc<
      (addr: Address, length: number) => number
    >,
  };
});

/** Maps memory with all of its pages in place, on a pool thread; undefined when the kernel refuses. */
export async function mapPopulated(sizeBytes: number): Promise<Address | undefined> {
  const { mmap } = libc();
  const address = await new Promise<number | bigint>((resolve, reject) => {
    mmap.async(
      0,
      sizeBytes,
      PROT_READ_WRITE,
      MAP_PRIVATE_ANONYMOUS_POPULATE,
      -1,
      0,
      (error: unknown, result: number | bigint) => {
        if (error === null || error === undefined) resolve(result);
        else reject(error instanceof Error ? error : new Error('koffi call failed', { cause: error }));
      },
    );
  });
  return BigInt.asUintN(64, BigInt(address)) === MAP_FAILED ? undefined : BigInt(address);
}

/** Gives back memory of {@link mapPopulated}, with the same size, on the calling thread. Ignores a failure. */
export function unmap(address: Address, sizeBytes: number): void {
  libc().munmap(address, sizeBytes);
}
