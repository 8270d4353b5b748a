/** libc, function by function, and the loader that every other ffi.ts uses. No logic beyond capturing errno. */
import type { KoffiFunc, LibraryHandle } from 'koffi';

import { koffi } from './koffi.ts';
import { LibraryError, type LibraryPackages, lazy } from './library.ts';

/**
 * Loads by soname with its major version. Throws {@link LibraryError}, which names the packages to install.
 *
 * `deep`: Node exports an OpenSSL of its own. A library that is bound to libcrypto would get some of its functions from there and
 * some from the libcrypto it was built for, and the first library to bring libcrypto decides for all that follow (libcryptsetup
 * for libtss2, which crashed).
 */
export function loadLibrary(soname: string, packages: LibraryPackages): LibraryHandle {
  try {
    return koffi().load(soname, { deep: true });
  } catch (error) {
    throw new LibraryError(soname, packages, error);
  }
}

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));

/** A C result and the errno that came with it; errno is meaningful only when the result says so. */
export type WithErrno<T> = { readonly result: T; readonly errno: number };

/**
 * ioctl(2) with a pointer argument. C declares it variadic; a fixed declaration makes it callable on a pool thread.
 * The buffer is passed by address: what the kernel writes is seen by the caller.
 */
const ioctlPointer = lazy(() =>
  libc().func('int ioctl(int fd, unsigned long request, _Inout_ uint8_t *argument)'),
);
const ioctlInteger = lazy(() => libc().func('int ioctl(int fd, unsigned long request, long argument)'));

/**
 * The caller keeps `fd` open and leaves `argument` alone until this resolves; a failure is result -1 with its errno, and no
 * rejection.
 */
export function ioctlPointerAsync(
  fd: number,
  request: number,
  argument: Uint8Array,
): Promise<WithErrno<number>> {
  return withErrno((done) => ioctlPointer().async(fd, request, argument, done));
}

/** For requests that take a C `long` by value; a failure is result -1 with its errno, and no rejection. */
export function ioctlIntegerAsync(fd: number, request: number, argument: number): Promise<WithErrno<number>> {
  return withErrno((done) => ioctlInteger().async(fd, request, argument, done));
}

/** Runs an asynchronous koffi call and captures errno inside its callback, the only place where it is valid. */
export function withErrno<T>(
  start: (done: (error: unknown, result: T) => void) => void,
): Promise<WithErrno<T>> {
  return new Promise((resolve, reject) => {
    start((error, result) => {
      const errno = koffi().errno();
      if (error === null || error === undefined) resolve({ result, errno });
      else reject(error instanceof Error ? error : new Error('koffi call failed', { cause: error }));
    });
  });
}

/** Runs a function on a pool thread. The arguments are referenced until it has returned. */
export function callAsync<A extends unknown[], R>(fn: KoffiFunc<(...args: A) => R>, ...args: A): Promise<R> {
  return new Promise((resolve, reject) => {
    fn.async(...args, (error: unknown, result: R) => {
      if (error === null || error === undefined) resolve(result);
      else reject(error instanceof Error ? error : new Error('koffi call failed', { cause: error }));
      void args; // koffi passes buffers by address: they must live as long as the call
    });
  });
}
