import type { PlannedNode } from '../plan.ts';
import type { KeptMachine } from '../keeper/messages.ts';

/** Where everything begins; the names below it are those of the standard (DMTF DSP0266). */
export const root = '/redfish/v1';

/** What is done to the power of a machine. */
export const resetTypes = [
  'On',
  'ForceOn',
  'ForceOff',
  'GracefulShutdown',
  'ForceRestart',
  'PowerCycle',
] as const;

export type ResetType = (typeof resetTypes)[number];

/** What a machine starts from when it is switched on next: as always, or this once from the network. */
export const bootTargets = ['None', 'Pxe'] as const;

export type BootTarget = (typeof bootTargets)[number];

/** The first document, which says where the others are; it is told to everybody. */
export const serviceRoot: object = {
  '@odata.id': `${root}/`,
  '@odata.type': '#ServiceRoot.v1_5_0.ServiceRoot',
  Id: 'RootService',
  Name: 'Power of the machines of a local cluster',
  RedfishVersion: '1.6.0',
  Systems: { '@odata.id': `${root}/Systems` },
};

/** All machines. */
export function systemsOf(nodes: readonly PlannedNode[]): object {
  return {
    '@odata.id': `${root}/Systems`,
    '@odata.type': '#ComputerSystemCollection.ComputerSystemCollection',
    Name: 'Machines',
    'Members@odata.count': nodes.length,
    Members: nodes.map(({ name }) => ({ '@odata.id': `${root}/Systems/${name}` })),
  };
}

/** One machine. @param fromNetwork it starts from the network next */
export function systemOf(
  { name, uuid, cpus, memoryMib }: PlannedNode,
  { state }: Pick<KeptMachine, 'state'>,
  fromNetwork: boolean,
): object {
  const id = `${root}/Systems/${name}`;
  return {
    '@odata.id': id,
    '@odata.type': '#ComputerSystem.v1_10_0.ComputerSystem',
    Id: name,
    Name: name,
    SystemType: 'Virtual',
    UUID: uuid,
    PowerState: powerOf(state),
    Status: { State: 'Enabled', Health: state === 'crashed' || state === 'panicked' ? 'Critical' : 'OK' },
    ProcessorSummary: { Count: cpus },
    MemorySummary: { TotalSystemMemoryGiB: memoryMib / 1024 },
    Boot: {
      BootSourceOverrideEnabled: fromNetwork ? 'Once' : 'Disabled',
      BootSourceOverrideTarget: fromNetwork ? 'Pxe' : 'None',
      'BootSourceOverrideTarget@Redfish.AllowableValues': bootTargets,
    },
    Actions: {
      '#ComputerSystem.Reset': {
        target: `${id}/Actions/ComputerSystem.Reset`,
        'ResetType@Redfish.AllowableValues': resetTypes,
      },
    },
  };
}

function powerOf(state: KeptMachine['state']): 'On' | 'Off' | 'PoweringOff' {
  if (state === 'off' || state === 'crashed') return 'Off';
  return state === 'shutting-down' ? 'PoweringOff' : 'On';
}
