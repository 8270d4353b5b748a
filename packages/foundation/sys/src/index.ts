// What moved to waiting, until every importer reads it from there.
export { Backoff, Serial, systemClock, within, type BackoffOptions, type Clock } from '@nodecore/waiting';

export { writeFileAtomic, removeFileDurably, type WriteFileAtomicOptions } from './atomic-file.ts';
export { CodedError, codeOf, kindOf } from './coded-error.ts';
export { errnoName } from './errno.ts';
export type { ErrorKind, ErrorKinds } from './error-kind.ts';
export { Feature, type FeatureState } from './feature.ts';
export { flock, LOCK_EX, LOCK_NB } from './ffi-flock.ts';
export { loadLibrary, withErrno, type WithErrno } from './ffi.ts';
export { ioctl, SystemCallError, type IoctlTarget, type SystemCallErrorCode } from './ioctl.ts';
export { parseJson, stringifyJson } from './json.ts';
export { lazy, LibraryError, type LibraryErrorCode, type LibraryPackages } from './library.ts';
export { wipeMessages } from './key-messages.ts';
export { readyFile } from './ready-file.ts';
export { Secret, type SecretArena } from './secret.ts';
export { ended, programNotFound, tethered, tetheredCommand } from './tethered.ts';
export { decodeText, TextError } from './text.ts';
