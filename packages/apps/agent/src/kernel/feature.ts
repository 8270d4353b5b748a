import { join } from 'node:path';

import { KernelModules, KernelSettings, Originals, PciDrivers } from '@nodecore/host';

import { configured } from '../applied/applied-controller.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import {
  kernelModuleSpecs,
  kernelModuleStatuses,
  kernelParamSpecs,
  kernelParamStatuses,
  pciDriverRebindConfigs,
  pciDriverRebindStatuses,
} from './definitions.ts';
import { moduleController, wantedModules } from './modules.ts';
import { pciController, wantedDrivers } from './pci.ts';
import { parameterController, wantedParameters } from './parameters.ts';

const owner = 'kernel';

/** What documents want of the running kernel: parameters, attributes of devices, modules. */
export const kernel: Feature<undefined> = feature({
  name: 'kernel',
  needs: { node },
  writes: [
    kernelParamSpecs,
    kernelParamStatuses,
    kernelModuleSpecs,
    kernelModuleStatuses,
    pciDriverRebindConfigs,
    pciDriverRebindStatuses,
  ],
  make: ({ node: { store, clock, runDirectory } }) => {
    const originals = (name: string): Originals =>
      new Originals(join(runDirectory, `${name}-originals.json`));
    return {
      handle: undefined,
      controllers: [
        pciController(new PciDrivers(originals('pci'))),
        moduleController({ modules: new KernelModules(), clock }),
        parameterController({
          sysctl: new KernelSettings({ directory: '/proc/sys', originals: originals('sysctl') }),
          sysfs: new KernelSettings({ directory: '/sys', originals: originals('sysfs'), followLinks: true }),
        }),
      ],
      configure: ({ configuration }) => {
        const modules = new Map([[configured, wantedModules(configuration)]]);
        store.replace(kindOf(kernelModuleSpecs), modules, owner);
        const drivers = new Map([[configured, wantedDrivers(configuration)]]);
        store.replace(kindOf(pciDriverRebindConfigs), drivers, owner);
        const parameters = new Map([[configured, wantedParameters(configuration)]]);
        store.replace(kindOf(kernelParamSpecs), parameters, owner);
      },
    };
  },
});
