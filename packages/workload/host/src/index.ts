export {
  chronyConfiguration,
  chronySocket,
  parseClockSources,
  parseTracking,
  type ChronyPlaces,
  type ClockSource,
  type ClockTracking,
  type TimeSources,
} from './chrony.ts';
export { DeviceNodes, type DeviceNodesParts, type DeviceRuleStatus } from './device-rules/device-nodes.ts';
export { type DeviceAction, type DeviceMatch, type DeviceRule } from './device-rules/rule.ts';
export { HostError, type HostErrorCode } from './errors.ts';
export { hostsFile, type HostsEntry } from './hosts-file.ts';
export { kernelRecordJson, parseKernelRecord, serviceRecordJson, type KernelRecord } from './kernel-log.ts';
export {
  KernelModules,
  moduleName,
  parseBuiltin,
  parseModules,
  type KernelModulesOptions,
  type ModuleState,
} from './kernel-modules.ts';
export { KernelSettings, type KernelSettingsParts, type SettingStatus } from './kernel-settings.ts';
export { Originals } from './originals.ts';
export { type FileStatus, OwnedFiles, type WantedFile } from './owned-files.ts';
export { PciDrivers, type PciDriverStatus } from './pci-drivers.ts';
export { settingPath } from './setting-path.ts';
