import type { Configuration } from '@nodecore/config';
import type { PciDrivers } from '@nodecore/host';
import type { Controller } from '@nodecore/runtime';
import { fieldsOf, type Json } from '@nodecore/state';

import { appliedController } from '../applied/applied-controller.ts';
import { pciDriverRebindConfigs, pciDriverRebindStatuses } from './definitions.ts';

/** What the documents of a configuration want: drivers by address. */
export function wantedDrivers(configuration: Configuration): Json {
  const documents = configuration.all('PCIDriverRebindConfig');
  return { drivers: Object.fromEntries(documents.map(({ name, targetDriver }) => [name, targetDriver])) };
}

/** Gives devices the drivers that are wanted, and the kernel's choice back when nobody wants another. */
export function pciController(drivers: Pick<PciDrivers, 'apply'>): Controller {
  return appliedController({
    name: 'pci-drivers',
    specs: [pciDriverRebindConfigs],
    statuses: pciDriverRebindStatuses,
    apply: async (specs) => {
      const entries = specs.flatMap(({ spec }) =>
        Object.entries(fieldsOf(fieldsOf(spec)['drivers'] ?? null)),
      );
      const wanted = new Map(
        entries.flatMap(([address, driver]) =>
          typeof driver === 'string' ? [[address, driver] as const] : [],
        ),
      );
      const statuses = new Map<string, Json>();
      let waitsFor: string | undefined;
      for (const { address, driver = '', error } of await drivers.apply(wanted)) {
        const targetDriver = wanted.get(address) ?? '';
        statuses.set(address, { driver, targetDriver, ...(error && { error: error.message }) });
        waitsFor ??= error?.message;
      }
      return { statuses, waitsFor };
    },
    retryMs: 30_000,
  });
}
