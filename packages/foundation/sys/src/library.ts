import { CodedError } from './coded-error.ts';
import type { ErrorKind, ErrorKinds } from './error-kind.ts';

export type LibraryErrorCode = 'ERR_LIBRARY_MISSING'; // the shared library can't be loaded

const kinds: ErrorKinds<LibraryErrorCode> = {
  ERR_LIBRARY_MISSING: 'unsupported',
};

/** A shared library that this package rests on can't be loaded. The message names the packages that bring it. */
export class LibraryError extends CodedError<LibraryErrorCode> {
  readonly soname: string;

  constructor(soname: string, packages: LibraryPackages, cause: unknown) {
    super(
      'ERR_LIBRARY_MISSING',
      `${soname} can't be loaded; install ${packages.debian} (Debian) or ${packages.fedora} (Fedora)`,
      { cause },
    );
    this.soname = soname;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'LibraryError';
  }
}

/** Which packages bring a library. */
export type LibraryPackages = { readonly debian: string; readonly fedora: string };

/**
 * A value computed at first use. Libraries are loaded this way, so that a program may import a package on a machine
 * that lacks the library and still use what needs none.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
