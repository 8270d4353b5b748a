import { execFile } from 'node:child_process';

import type { Controller } from '@nodecore/runtime';
import type { Json } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import { kindOf } from '../resources/definitions.ts';
import { leaseNames } from './definitions.ts';
import { ethernetInterfaces } from './dhcp.ts';
import { leaseNamesOf } from './lease-names.ts';

/** dhcpcd runs no program that would tell of a lease; to ask it takes 4 ms, and tenths of a second of an emulated processor. */
const lookMs = 3000;
/** What a lease says changes with a renewal at the earliest, which is an hour away as a rule. */
const heldLookMs = 15_000;
const dumpMs = 5000;
const item = 'leases';

export type LeaseControllerParts = {
  readonly clock: Pick<Clock, 'sleep'>;
  /** /sys/class/net */
  readonly interfaces?: string;
  /** What dhcpcd says of the lease of an interface; empty without one. */
  readonly dump?: (name: string) => Promise<string>;
};

/** Shows what the networks of the machine say of names. */
export function leaseController({
  clock,
  interfaces = '/sys/class/net',
  dump = dumpLease,
}: LeaseControllerParts): Controller {
  let isHeld = false;
  return {
    name: 'lease-names',
    inputs: [],
    outputs: [{ ...kindOf(leaseNames), mode: 'exclusive' }],
    outside: async (wake, signal) => {
      for (;;) {
        wake(item);
        await clock.sleep(isHeld ? heldLookMs : lookMs, signal);
      }
    },
    reconcile: async (_item, access) => {
      const specs = new Map<string, Json>();
      for (const name of await ethernetInterfaces(interfaces)) {
        const spec = leaseNamesOf(await dump(name));
        if (spec !== undefined) specs.set(name, spec);
      }
      isHeld = specs.size > 0;
      await access.replace(kindOf(leaseNames), specs);
    },
  };
}

/** Of the dhcpcd that runs on the interface, by its control socket: its files may lie below what was mounted since. */
async function dumpLease(name: string): Promise<string> {
  const args = ['--config', '/dev/null', '-4', '--dumplease', name];
  return await new Promise((resolve) => {
    execFile('dhcpcd', args, { timeout: dumpMs, maxBuffer: 64 << 10 }, (error, stdout) => {
      resolve(error === null ? stdout : '');
    });
  });
}
