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
export { parseDiskCounters, sumOfDisks, type DiskCounters } from './counters/disk-counters.ts';
export {
  parseInterfaceCounters,
  sumOfInterfaces,
  type InterfaceCounters,
} from './counters/interface-counters.ts';
export { parseLoadAverage, type LoadAverage } from './counters/load-average.ts';
export { parseMemoryValues, type MemoryValue } from './counters/memory-values.ts';
export {
  parseProcessors,
  processorFrequencies,
  type Processor,
  type ProcessorFrequency,
} from './counters/processors.ts';
export { parseSystemCounters, type CpuTimes, type SystemCounters } from './counters/system-counters.ts';
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
export { ntpQuestion, readNtpAnswer, type NtpAnswer } from './ntp.ts';
export { Originals } from './originals.ts';
export { type FileStatus, OwnedFiles, type WantedFile } from './owned-files.ts';
export { PciDrivers, type PciDriverStatus } from './pci-drivers.ts';
export { settingPath } from './setting-path.ts';
