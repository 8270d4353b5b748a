export {
  contains,
  isNetwork,
  overlaps,
  parseAddress,
  parsePrefix,
  type Address,
  type Prefix,
} from './address.ts';
export {
  isSameFile,
  writeFileAtomic,
  removeFileDurably,
  stageFile,
  type FileData,
  type StagedFile,
  type WriteFileAtomicOptions,
} from './atomic-file.ts';
export { availableMemoryKib, unusedMemoryKib, type MemorySource } from './available-memory.ts';
export { Beneath, type BeneathOptions } from './beneath.ts';
export { CodedError, codeOf, kindOf, policyOf } from './coded-error.ts';
export { endOnDefect } from './end-on-defect.ts';
export { errnoName } from './errno.ts';
export { type ErrorKind, type ErrorKinds, kindPolicies, type KindPolicy } from './error-kind.ts';
export { Feature, type FeatureState } from './feature.ts';
export { FileWatch } from './file-watch.ts';
export { duplicate } from './ffi-duplicate.ts';
export { flock, LOCK_EX, LOCK_NB } from './ffi-flock.ts';
export { renameInterface } from './ffi-interface-name.ts';
export { callAsync, loadLibrary, withErrno, type WithErrno } from './ffi.ts';
export { ioctl, SystemCallError, type IoctlTarget, type SystemCallErrorCode } from './ioctl.ts';
export { parseJson, stringifyJson } from './json.ts';
export { koffi } from './koffi.ts';
export { lazy, LibraryError, type LibraryErrorCode, type LibraryPackages } from './library.ts';
export { wipeMessages } from './key-messages.ts';
export { makeDirectory, type MakeDirectoryOptions } from './make-directory.ts';
export {
  identityOf,
  isRunning,
  killExactly,
  killWhere,
  parseIdentity,
  type ProcessIdentity,
  processStat,
} from './process-identity.ts';
export { readyFile } from './ready-file.ts';
export { releaseVersion } from './release-version.ts';
export { Secret, type SecretArena } from './secret.ts';
export { formatSocketAddress, parseSocketAddress, type SocketAddress } from './socket-address.ts';
export { stopSignal } from './stop-signal.ts';
export { giveToSudoUser, makeUserDirectory, sudoUser, type SudoUser } from './sudo-user.ts';
export { ended, programNotFound, tethered, tetheredCommand } from './tethered.ts';
export { decodeText, TextError } from './text.ts';
export { unlessGone } from './unless-gone.ts';
