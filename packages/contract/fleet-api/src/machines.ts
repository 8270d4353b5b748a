import { defaultNamespace, type FleetDefinition, fleetType } from './definition.ts';

/** A machine that the fleet knows. Its id is made of the key of its link: every resource of a machine has the same. */
export type MachineSpec = {
  /** Whether its link stands. */
  readonly connected: boolean;
  /** Address that the link comes from, for people: nothing is dialled there. */
  readonly remoteAddress: string;
  /** ISO 8601: when the link was made or lost last. */
  readonly changedAt: string;
};

/** The machines. */
export const machines: FleetDefinition = {
  type: fleetType('Machines'),
  displayType: 'Machine',
  description: 'Machines that have joined.',
  aliases: ['machine', 'm'],
  defaultNamespace,
  printColumns: [
    { name: 'Connected', jsonPath: '$.connected' },
    { name: 'Address', jsonPath: '$.remoteAddress' },
    { name: 'Since', jsonPath: '$.changedAt' },
  ],
  sensitive: false,
  readers: 'Reader',
  writers: 'nobody',
};

/** What a machine says of itself, as the fleet saw it last. Fields are absent until they are known. */
export type MachineStatusSpec = {
  readonly connected: boolean;
  /** Of its hardware, which may not be unique. */
  readonly uuid?: string;
  readonly hostname?: string;
  readonly osVersion?: string;
  /** Stage in the life of the node: `maintenance`, `running` … */
  readonly stage?: string;
  /** Whether it has no configuration yet. */
  readonly maintenance?: boolean;
  readonly ready?: boolean;
  readonly addresses?: readonly string[];
  readonly cluster?: string;
  readonly role?: string;
  readonly schematic?: { readonly fullId: string; readonly extensions?: readonly string[] };
  readonly securityState?: { readonly secureBoot: boolean };
  /** Why the rest is not known. */
  readonly lastError?: string;
};

/** The state of each machine. */
export const machineStatuses: FleetDefinition = {
  type: fleetType('MachineStatuses'),
  displayType: 'MachineStatus',
  description: 'What machines say of themselves.',
  aliases: ['ms'],
  defaultNamespace,
  printColumns: [
    { name: 'Connected', jsonPath: '$.connected' },
    { name: 'Hostname', jsonPath: '$.hostname' },
    { name: 'Stage', jsonPath: '$.stage' },
    { name: 'Version', jsonPath: '$.osVersion' },
    { name: 'Schematic', jsonPath: '$.schematic.fullId' },
    { name: 'Error', jsonPath: '$.lastError' },
  ],
  sensitive: false,
  readers: 'Reader',
  writers: 'nobody',
};

/** A machine that may have a link. To destroy it is to forget the machine. */
export type LinkSpec = {
  /** SubjectPublicKeyInfo of the machine's key, DER in base64. */
  readonly publicKey: string;
  readonly connected: boolean;
  /** `address:port` that the connection came from last. */
  readonly lastEndpoint: string;
  /** SHA-256 of the key that the node API has before its first configuration, hexadecimal. */
  readonly nodeApiSpki?: string;
  readonly uuid?: string;
  readonly schematicId?: string;
  readonly osVersion?: string;
};

/** The links. */
export const links: FleetDefinition = {
  type: fleetType('Links'),
  displayType: 'Link',
  description: 'Machines that may connect. Destroying one makes the fleet forget the machine.',
  aliases: ['link'],
  defaultNamespace,
  printColumns: [
    { name: 'Connected', jsonPath: '$.connected' },
    { name: 'Endpoint', jsonPath: '$.lastEndpoint' },
  ],
  sensitive: false,
  readers: 'Reader',
  writers: 'Operator',
  changes: ['destroy'], // a machine joins by a token and its key, never by somebody's word
};

/** A machine that asked to join and may not yet, with the reason. */
export type PendingMachineSpec = {
  readonly publicKey: string;
  readonly reason: string;
  readonly lastEndpoint: string;
  readonly uuid?: string;
  readonly osVersion?: string;
};

/** Machines that wait. */
export const pendingMachines: FleetDefinition = {
  type: fleetType('PendingMachines'),
  displayType: 'PendingMachine',
  description: 'Machines that asked to join and may not yet.',
  aliases: ['pm'],
  defaultNamespace,
  printColumns: [
    { name: 'Endpoint', jsonPath: '$.lastEndpoint' },
    { name: 'Reason', jsonPath: '$.reason' },
  ],
  sensitive: false,
  readers: 'Reader',
  writers: 'nobody',
};
