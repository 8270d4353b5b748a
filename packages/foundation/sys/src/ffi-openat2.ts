/** openat2(2), which glibc 2.36 has no function for. No logic. */
import { loadLibrary, withErrno, type WithErrno } from './ffi.ts';
import { lazy } from './library.ts';

/** linux/openat2.h */
export const RESOLVE_NO_MAGICLINKS = 0x02;
export const RESOLVE_NO_SYMLINKS = 0x04;
export const RESOLVE_BENEATH = 0x08;

/** asm-generic/unistd.h: the same number on every architecture. */
const SYS_openat2 = 437;

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
const call = lazy(() =>
  libc().func('long syscall(long number, int directory, const char *path, _In_ uint64_t *how, size_t size)'),
);

/** A descriptor, or -1 with its errno. `flags` and `mode` as of open(2), `resolve` of the constants of this file. */
export function openat2Async(
  directory: number,
  path: string,
  how: { readonly flags: number; readonly mode: number; readonly resolve: number },
): Promise<WithErrno<number>> {
  const words = new BigUint64Array([BigInt(how.flags), BigInt(how.mode), BigInt(how.resolve)]);
  return withErrno((done) =>
    call().async(
      SYS_openat2,
      directory,
      path,
      words,
      words.byteLength,
      (error: unknown, result: number | bigint) => done(error, Number(result)),
    ),
  );
}
