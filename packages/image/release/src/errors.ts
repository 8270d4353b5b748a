import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

/** Stable: programs compare it, users see it. */
export type BuildErrorCode =
  | 'ERR_BUILD_MISSING' // something that a release is made of is not on this machine
  | 'ERR_BUILD_PROGRAM' // a program that builds a part of it failed
  | 'ERR_BUILD_CONTENT' // the root has something that it must not have
  | 'ERR_BUILD_KERNEL' // an extension has modules of another kernel
  | 'ERR_BUILD_SIZE'; // it is larger than it may be

const kinds: ErrorKinds<BuildErrorCode> = {
  ERR_BUILD_MISSING: 'not-found',
  ERR_BUILD_PROGRAM: 'internal',
  ERR_BUILD_CONTENT: 'refused',
  ERR_BUILD_KERNEL: 'refused',
  ERR_BUILD_SIZE: 'refused',
};

/** A release that could not be built. */
export class BuildError extends CodedError<BuildErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'BuildError';
  }
}
