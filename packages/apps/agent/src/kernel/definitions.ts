import type { ResourceDefinition } from '@nodecore/api';

const runtime = { defaultNamespace: 'runtime', sensitive: false } as const;

/** By who wants them: parameters below /proc/sys and attributes below /sys, by the names of the documents. */
export const kernelParamSpecs: ResourceDefinition = {
  ...runtime,
  type: 'KernelParamSpecs.runtime.nodecore.dev',
  displayType: 'KernelParamSpec',
  description: 'Parameters of the kernel and attributes of devices that are wanted.',
  aliases: [],
  printColumns: [
    { name: 'Sysctl', jsonPath: '$.sysctl' },
    { name: 'Sysfs', jsonPath: '$.sysfs' },
  ],
};

/** By path, `proc.sys.net.ipv4.ip_forward`: those that are wanted, and those that could not be given back. */
export const kernelParamStatuses: ResourceDefinition = {
  ...runtime,
  type: 'KernelParamStatuses.runtime.nodecore.dev',
  displayType: 'KernelParamStatus',
  description: 'A parameter of the kernel, or an attribute of a device: what it is, and what it was before.',
  aliases: ['sysctls', 'kernelparameters', 'kernelparams'],
  printColumns: [
    { name: 'Current', jsonPath: '$.current' },
    { name: 'Default', jsonPath: '$.default' },
    { name: 'Unsupported', jsonPath: '$.unsupported' },
    { name: 'Error', jsonPath: '$.error' },
  ],
};

/** By who wants them: modules, with parameters for those that are not loaded yet. */
export const kernelModuleSpecs: ResourceDefinition = {
  ...runtime,
  type: 'KernelModuleSpecs.runtime.nodecore.dev',
  displayType: 'KernelModuleSpec',
  description: 'Modules of the kernel that are wanted.',
  aliases: [],
  printColumns: [{ name: 'Modules', jsonPath: '$.modules[*].name' }],
};

/** By who wants them: drivers of PCI devices, by address. */
export const pciDriverRebindConfigs: ResourceDefinition = {
  ...runtime,
  type: 'PCIDriverRebindConfigs.runtime.nodecore.dev',
  displayType: 'PCIDriverRebindConfig',
  description: 'Drivers that PCI devices are to get.',
  aliases: [],
  printColumns: [{ name: 'Drivers', jsonPath: '$.drivers' }],
};

/** By address. */
export const pciDriverRebindStatuses: ResourceDefinition = {
  ...runtime,
  type: 'PCIDriverRebindStatuses.runtime.nodecore.dev',
  displayType: 'PCIDriverRebindStatus',
  description: 'A PCI device that is to have another driver, and the one that it has.',
  aliases: ['pcidriverrebinds'],
  printColumns: [
    { name: 'Driver', jsonPath: '$.driver' },
    { name: 'Target Driver', jsonPath: '$.targetDriver' },
    { name: 'Error', jsonPath: '$.error' },
  ],
};

/** By name: modules that are loaded or built in, and wanted ones that are neither. */
export const kernelModuleStatuses: ResourceDefinition = {
  ...runtime,
  type: 'KernelModuleStatuses.runtime.nodecore.dev',
  displayType: 'KernelModuleStatus',
  description: 'A module of the kernel that is loaded or built in, or wanted and why it is not loaded.',
  aliases: ['module', 'modules'],
  formerNames: ['loadedkernelmodules', 'loadedkernelmodule'],
  printColumns: [
    { name: 'Type', jsonPath: '$.type' },
    { name: 'State', jsonPath: '$.state' },
    { name: 'Error', jsonPath: '$.error' },
  ],
};
