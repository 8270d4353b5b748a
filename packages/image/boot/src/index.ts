export { BootError, type BootErrorCode } from './errors.ts';
export {
  compareEntries,
  type EntryName,
  formatEntryName,
  isSameEntry,
  parseEntryName,
} from './entry-name.ts';
export { type EnrollmentKeys, entryDirectory, type EspFile, espFiles, type EspOptions } from './esp-files.ts';
export { loaderConf, type SecureBootEnrollment } from './loader-conf.ts';
export { efiPartitionSizeBytes } from './sizes.ts';
export { compareVersions, imageVersionOf, isImageVersion } from './version.ts';
