export { SelectorError, type SelectorErrorCode } from './errors.ts';
export type { Explanation, FailedPart } from './explain.ts';
export type { SelectableDisk, SelectableVolume } from './facts.ts';
export type { SelectableLink } from './link-facts.ts';
export { prettySize } from './pretty-size.ts';
export {
  compileDiskSelector,
  compileLinkSelector,
  compileVolumeSelector,
  type DiskEnvironment,
  type LinkEnvironment,
  type Selector,
  type VolumeEnvironment,
} from './selector.ts';
