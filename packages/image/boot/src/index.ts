export { BootPartition, type NewEntry } from './boot-partition.ts';
export { type Entry, entriesOf, type EntryState } from './entry.ts';
export { directoryFiles, type EntryFiles, type ListedFile } from './entry-files.ts';
export {
  compareEntries,
  type EntryName,
  formatEntryName,
  isSameEntry,
  parseEntryName,
} from './entry-name.ts';
export { BootError, type BootErrorCode } from './errors.ts';
export { dropCache } from './ffi-file-system.ts';
export {
  type Architecture,
  bootLoaderPath,
  type Enrollment,
  enrollmentFiles,
  type EnrollmentKeys,
  entryDirectory,
  type EspFile,
  espFiles,
  type EspOptions,
} from './esp-files.ts';
export {
  biosPartitionSizeBytes,
  bootCode,
  bootCodeBytes,
  diskCore,
  type GrubPrograms,
  mediumCore,
  mediumCoreOffset,
} from './grub/boot-code.ts';
export { grubFiles, type GrubFilesOptions, grubMediumFiles } from './grub/boot-files.ts';
export type { SlotDisk } from './grub/slot-disk.ts';
export { slotFiles } from './grub/slot-files.ts';
export { bootArguments, type ReadSections } from './grub/start-commands.ts';
export { loaderConf, type SecureBootEnrollment, secureBootEnrollments } from './loader-conf.ts';
export {
  type BootFailure,
  type BootRecord,
  emptyBootRecord,
  nextSequence,
  parseBootRecord,
  type RecordedEntry,
  withEntry,
  withFailure,
  withoutGone,
} from './record.ts';
export { efiPartitionSizeBytes } from './sizes.ts';
export { compareImageVersions, isImageVersion } from './version.ts';
