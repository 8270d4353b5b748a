export {
  compileDiskSelector,
  compileVolumeSelector,
  SelectorError,
  type DiskEnvironment,
  type Explanation,
  type FailedPart,
  type SelectableDisk,
  type SelectableVolume,
  type Selector,
  type SelectorErrorCode,
  type VolumeEnvironment,
} from './selector.ts';
