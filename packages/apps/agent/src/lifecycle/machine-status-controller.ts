import { type Access, type Controller, every, type Input } from '@nodecore/runtime';
import { fieldsOf, type Resource } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import { machineConfigs } from '../configuration/definitions.ts';
import { etcFileStatuses } from '../etc/definitions.ts';
import { kvstoreMembers } from '../kvstore/kvstore-definitions.ts';
import { maintenanceStatuses } from '../maintenance/definitions.ts';
import { hostnameStatuses } from '../names/definitions.ts';
import { kindOf } from '../resources/definitions.ts';
import { serviceStatuses } from '../services/definitions.ts';
import { timeStatuses } from '../time/definitions.ts';
import { publishedVolumes, volumeInputs } from '../volumes/published.ts';
import { machineSequences, machineStatuses } from './definitions.ts';
import type { Sequence } from './take-overs.ts';
import { type MachineFacts, machineStatus, type ServiceFacts } from './machine-status.ts';

const item = 'machine';
/** Nothing announces an address. */
const lookMs = 1000;

const active = { ...kindOf(machineConfigs), id: 'v1alpha1' };
const member = { ...kindOf(kvstoreMembers), id: 'local' };
const sequence = { ...kindOf(machineSequences), id: 'machine' };
const maintenance = { ...kindOf(maintenanceStatuses), id: 'maintenance' };
const time = { ...kindOf(timeStatuses), id: 'node' };
const hostname = { ...kindOf(hostnameStatuses), id: 'hostname' };
const [services, etcFiles] = [kindOf(serviceStatuses), kindOf(etcFileStatuses)];

export type MachineStatusParts = {
  readonly clock: Clock;
  /** Undefined where the network is not the node's own. */
  readonly addresses: () => readonly string[] | undefined;
};

/** Keeps the one `MachineStatus` like what it rests on. */
export function machineStatusController({ clock, addresses }: MachineStatusParts): Controller {
  const single = [active, member, sequence, maintenance, time, hostname, services, etcFiles].map(
    (key): Input => ({
      ...key,
      strength: 'weak',
      items: () => [item],
    }),
  );
  return {
    name: 'machine-status',
    inputs: [...single, ...volumeInputs(item)],
    outputs: [{ ...kindOf(machineStatuses), mode: 'exclusive' }],
    outside: every(lookMs, clock, item),
    reconcile: async (id, access) => {
      const facts = { ...(await factsOf(access)), addresses: addresses() };
      await access.modify({ ...kindOf(machineStatuses), id }, () => machineStatus(facts));
    },
  };
}

/** The configuration first: it is published when the volumes are those that it has. */
async function factsOf(access: Access): Promise<Omit<MachineFacts, 'addresses'>> {
  const isConfigured = (await access.get(active)) !== undefined;
  const { volumes } = await publishedVolumes(access);
  const begun = fieldsOf((await access.get(sequence))?.spec ?? {});
  return {
    sequence: begun['sequence'] as Sequence | undefined,
    isConfigured,
    isInMaintenance: (await access.get(maintenance)) !== undefined,
    volumes,
    isTimeReady: fieldsOf((await access.get(time))?.spec ?? {})['ready'] !== false,
    member: (await access.get(member))?.spec as MachineFacts['member'],
    hostnameError: errorOf(await access.get(hostname)),
    etcErrors: (await access.list(etcFiles)).flatMap((file) => {
      const error = errorOf(file);
      return error === undefined ? [] : [`/etc/${file.metadata.id} is not as it shall be: ${error}`];
    }),
    services: (await access.list(services)).map(({ metadata, spec }) => {
      return { ...(fieldsOf(spec) as unknown as ServiceFacts), id: metadata.id };
    }),
  };
}

function errorOf(resource: Resource | undefined): string | undefined {
  const { error } = fieldsOf(resource?.spec ?? {});
  return typeof error === 'string' && error !== '' ? error : undefined;
}
