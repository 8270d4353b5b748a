import type { Controller } from '@nodecore/runtime';
import { fieldsOf, type Resource } from '@nodecore/state';

import { everything } from '../applied/applied-controller.ts';
import { strongestFirst } from '../applied/layers.ts';
import { leaseNames } from '../dhcp/definitions.ts';
import type { Log } from '../log.ts';
import { kindOf } from '../resources/definitions.ts';
import { hostnameSpecs, hostnameStatuses } from './definitions.ts';

export type HostnameParts = {
  readonly log: Log;
  readonly current: () => string;
  /** Names the machine; undefined where the name is the host's own. */
  readonly set: ((name: string) => Promise<void>) | undefined;
};

/** Gives the machine the name that the strongest of those has who say one; when that one goes, the next one's. */
export function hostnameController(parts: HostnameParts): Controller {
  const { current, set } = parts;
  return {
    name: 'hostname',
    inputs: [hostnameSpecs, leaseNames].map((each) => ({
      ...kindOf(each),
      strength: 'weak' as const,
      items: () => [everything],
    })),
    outputs: [{ ...kindOf(hostnameStatuses), mode: 'exclusive' }],
    reconcile: async (_item, access) => {
      const leases = await access.list(kindOf(leaseNames));
      const wanted = wantedName([...leases, ...(await access.list(kindOf(hostnameSpecs)))]);
      await nameMachine(parts, wanted);
      const isOurs = set !== undefined && wanted !== undefined;
      const spec = {
        hostname: current(),
        domainname: isOurs ? wanted.slice(labelOf(wanted).length + 1) : '',
        ...(wanted !== undefined && !isOurs && { error: 'this host keeps its own name' }),
      };
      await access.modify({ ...kindOf(hostnameStatuses), id: 'hostname' }, () => spec);
    },
  };
}

/** Names the machine, where that is ours to do. The kernel gets one label: the domain is for those who look names up. */
export async function nameMachine(
  { log, current, set }: HostnameParts,
  wanted: string | undefined,
): Promise<void> {
  if (wanted === undefined || set === undefined || current() === labelOf(wanted)) return;
  await set(labelOf(wanted));
  log.info({ name: wanted }, 'the machine has a name');
}

/** The name of the strongest layer that has one. */
export function wantedName(specs: readonly Resource[]): string | undefined {
  for (const { spec } of strongestFirst(specs)) {
    const { hostname } = fieldsOf(spec);
    if (typeof hostname === 'string' && hostname !== '') return hostname;
  }
  return undefined;
}

function labelOf(name: string): string {
  return name.split('.')[0] ?? name;
}
