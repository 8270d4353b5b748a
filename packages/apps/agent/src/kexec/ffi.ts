/** kexec_file_load(2), which libc has no function for. No logic here. */
import { arch } from 'node:process';

import { lazy, loadLibrary, type WithErrno, withErrno } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));

/** syscall(2) is variadic in C; with a fixed declaration it can run on a pool thread. */
const systemCall = lazy(() =>
  libc().func(
    'long syscall(long number, int kernel, int initrd, unsigned long lineBytes, const uint8_t *line, unsigned long flags)',
  ),
);

/** asm/unistd.h */
const numbers: Readonly<Record<string, number>> = { x64: 320, arm64: 294 };

/**
 * Loads a kernel for the next reboot. Needs CAP_SYS_BOOT. The descriptors are read from their beginning, and stay the caller's.
 *
 * @param line the command line, with its NUL.
 * @returns result -1 with its errno for a failure.
 */
export function kexecFileLoad(kernel: number, initrd: number, line: Uint8Array): Promise<WithErrno<number>> {
  const number = numbers[arch] ?? -1;
  return withErrno<number>((done) =>
    systemCall().async(number, kernel, initrd, line.length, line, 0, (error: unknown, result: unknown) => {
      done(error, Number(result));
      void line; // koffi passes buffers by address: they must live as long as the call
    }),
  );
}
