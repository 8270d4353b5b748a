export { isCipher, type Cipher } from './cipher.ts';
export { close, type CloseOptions } from './close.ts';
export { LuksError, type LuksErrorCode } from './errors.ts';
export { type Expectation } from './expectation.ts';
export { isPerformanceFlag, type MappingFlag, type PerformanceFlag, type PersistentFlag } from './flags.ts';
export { format, type FormatOptions } from './format.ts';
export { type Keyslot, type KeyslotKdf, type KeyslotPriority } from './header-json.ts';
export { type BackupOptions, type HeaderBackup } from './header-backup.ts';
export {
  type HeaderCheck,
  type HeaderCopyFacts,
  type HeaderCopyState,
  type HeaderRepair,
} from './header-check.ts';
export { type HeaderVerdict } from './header-copies.ts';
export { type HeaderRestore, type RestoreOptions } from './header-restore.ts';
export { type UnpackedBackup, type UnpackOptions } from './header-unpack.ts';
export { header, type Header } from './header.ts';
export { type KeyAttempt } from './key.ts';
export { type ChangeKeyslotOptions } from './keyslot-change.ts';
export {
  keyslots,
  type AddKeyslotOptions,
  type KeyslotPriorityOptions,
  type RemoveKeyslotOptions,
} from './keyslot.ts';
export { open, type OpenOptions } from './open.ts';
export { type Pbkdf } from './pbkdf.ts';
export { persistentFlags, type SetFlagsOptions } from './persistent-flags.ts';
export { type ReadOptions } from './read-options.ts';
export { recoveryKey, type RecoveryKey } from './recovery-key.ts';
export { resize, type ResizeOptions } from './resize.ts';
export { status, type ActiveMapping, type StatusOptions } from './status.ts';
export { testKey, type TestKeyOptions } from './test-key.ts';
export { type Token, type TokenJson } from './token-json.ts';
export { tokens, type SetTokenOptions } from './token.ts';
export { type Volume } from './volume.ts';
