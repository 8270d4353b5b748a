import { definitionNamespace, definitionType, namesOf, type ResourceDefinition } from '@nodecore/api';
import type { Json, Kind } from '@nodecore/state';

import {
  kvstoreDefragmentations,
  kvstoreMembers,
  kvstoreSnapshots,
  kvstoreStatuses,
} from '../kvstore/kvstore-definitions.ts';
import {
  mountRequests,
  mountStatuses,
  volumeMountRequests,
  volumeMountStatuses,
} from '../mounts/mount-definitions.ts';

const block = 'block.nodecore.dev';

export const disks: ResourceDefinition = {
  type: `Disks.${block}`,
  displayType: 'Disk',
  description: 'A disk and its hardware facts.',
  defaultNamespace: 'runtime',
  aliases: ['disk'],
  printColumns: [
    { name: 'Size', jsonPath: '$.pretty_size' },
    { name: 'Read Only', jsonPath: '$.readonly' },
    { name: 'Transport', jsonPath: '$.transport' },
    { name: 'Rotational', jsonPath: '$.rotational' },
    { name: 'WWID', jsonPath: '$.wwid' },
    { name: 'Model', jsonPath: '$.model' },
    { name: 'Serial', jsonPath: '$.serial' },
    { name: 'Error', jsonPath: '$.error' },
  ],
  sensitive: false,
};

export const blockDevices: ResourceDefinition = {
  type: `BlockDevices.${block}`,
  displayType: 'BlockDevice',
  description: 'A disk or a partition among the devices that it is stacked on and that are stacked on it.',
  defaultNamespace: 'runtime',
  aliases: ['bd'],
  printColumns: [
    { name: 'Type', jsonPath: '$.type' },
    { name: 'Number', jsonPath: '$.number' },
    { name: 'Size', jsonPath: '$.pretty_size' },
    { name: 'Parent', jsonPath: '$.parent' },
    { name: 'Secondaries', jsonPath: '$.secondaries[*]' },
    { name: 'Holders', jsonPath: '$.holders[*]' },
    { name: 'Name', jsonPath: '$.mapping.name' },
    { name: 'Level', jsonPath: '$.array.level' },
  ],
  sensitive: false,
};

export const discoveryStatuses: ResourceDefinition = {
  type: `DiscoveryStatuses.${block}`,
  displayType: 'DiscoveryStatus',
  description: 'Whether every disk that the kernel has announced was looked at, and which could not be read.',
  defaultNamespace: 'runtime',
  aliases: ['ds'],
  printColumns: [
    { name: 'Ready', jsonPath: '$.ready' },
    { name: 'Disks', jsonPath: '$.disks' },
    { name: 'Volumes', jsonPath: '$.volumes' },
    { name: 'Unreadable', jsonPath: '$.unreadable[*]' },
    { name: 'Error', jsonPath: '$.error' },
  ],
  sensitive: false,
};

export const discoveredVolumes: ResourceDefinition = {
  type: `DiscoveredVolumes.${block}`,
  displayType: 'DiscoveredVolume',
  description: 'What is on a disk or a partition, whoever put it there.',
  defaultNamespace: 'runtime',
  aliases: ['dv'],
  printColumns: [
    { name: 'Type', jsonPath: '$.type' },
    { name: 'Size', jsonPath: '$.pretty_size' },
    { name: 'Discovered', jsonPath: '$.name' },
    { name: 'Label', jsonPath: '$.label' },
    { name: 'PartitionLabel', jsonPath: '$.partition_label' },
  ],
  sensitive: false,
};

export const systemDisks: ResourceDefinition = {
  type: `SystemDisks.${block}`,
  displayType: 'SystemDisk',
  description: 'The disk that holds the META partition.',
  defaultNamespace: 'runtime',
  aliases: ['sd'],
  printColumns: [{ name: 'Disk', jsonPath: '$.diskID' }],
  sensitive: false,
};

export const volumeStatuses: ResourceDefinition = {
  type: `VolumeStatuses.${block}`,
  displayType: 'VolumeStatus',
  description: 'How far a configured volume has come, and why it is not ready.',
  defaultNamespace: 'runtime',
  aliases: ['vs'],
  printColumns: [
    { name: 'Type', jsonPath: '$.type' },
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Location', jsonPath: '$.location' },
    { name: 'Size', jsonPath: '$.prettySize' },
    { name: 'Key Slot', jsonPath: '$.encryptionSlot' },
    { name: 'Key Problems', jsonPath: '$.encryptionFailedSyncs[*].code' },
    { name: 'Reason', jsonPath: '$.reason' },
  ],
  sensitive: false,
};

export const volumeTrimStatuses: ResourceDefinition = {
  type: `VolumeTrimStatuses.${block}`,
  displayType: 'VolumeTrimStatus',
  description: 'When a volume is trimmed, what came of the last trim, and why it is skipped.',
  defaultNamespace: 'runtime',
  aliases: ['vts'],
  printColumns: [
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Next', jsonPath: '$.next' },
    { name: 'Done %', jsonPath: '$.donePercent' },
    { name: 'Last', jsonPath: '$.last.started' },
    { name: 'Result', jsonPath: '$.last.outcome' },
    { name: 'Bytes', jsonPath: '$.last.trimmedBytes' },
    { name: 'Duration ms', jsonPath: '$.last.durationMs' },
    { name: 'Error', jsonPath: '$.last.errorCode' },
    { name: 'Skipped', jsonPath: '$.skippedMessage' },
  ],
  sensitive: false,
};

export const pressurePolicies: ResourceDefinition = {
  type: 'PressurePolicies.runtime.nodecore.dev',
  displayType: 'PressurePolicy',
  description: 'What a pressure policy waits for, what it would do, and what of it is not undone yet.',
  defaultNamespace: 'runtime',
  aliases: ['pp'],
  printColumns: [
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Resource', jsonPath: '$.resource' },
    { name: 'Kind', jsonPath: '$.kind' },
    { name: 'Stall ms', jsonPath: '$.stallMs' },
    { name: 'Window ms', jsonPath: '$.windowMs' },
    { name: 'Action', jsonPath: '$.action' },
    { name: 'Dry Run', jsonPath: '$.dryRun' },
    { name: 'Alerts', jsonPath: '$.alerts' },
    { name: 'Last Alert', jsonPath: '$.lastAlert' },
    { name: 'Held', jsonPath: '$.held' },
    { name: 'Error', jsonPath: '$.errorMessage' },
  ],
  sensitive: false,
};

export const pressureDecisions: ResourceDefinition = {
  type: 'PressureDecisions.runtime.nodecore.dev',
  displayType: 'PressureDecision',
  description: 'What a pressure policy did to whom, with the readings that led to it; the last 50.',
  defaultNamespace: 'runtime',
  aliases: ['pd'],
  printColumns: [
    { name: 'Time', jsonPath: '$.time' },
    { name: 'Policy', jsonPath: '$.policy' },
    { name: 'Victim', jsonPath: '$.victim.path' },
    { name: 'Score', jsonPath: '$.victim.score' },
    { name: 'Action', jsonPath: '$.action' },
    { name: 'Outcome', jsonPath: '$.outcome' },
    { name: 'Released', jsonPath: '$.released.reason' },
    { name: 'Error', jsonPath: '$.errorMessage' },
  ],
  sensitive: false,
};

export const securityStates: ResourceDefinition = {
  type: 'SecurityStates.security.nodecore.dev',
  displayType: 'SecurityState',
  description: 'What of the machine keys can be bound to: Secure Boot, the TPM, and signed measurements.',
  defaultNamespace: 'runtime',
  aliases: ['ss'],
  printColumns: [
    { name: 'Secure Boot', jsonPath: '$.secureBoot' },
    { name: 'TPM', jsonPath: '$.tpm.present' },
    { name: 'Manufacturer', jsonPath: '$.tpm.manufacturer' },
    { name: 'PCR Signing Key', jsonPath: '$.pcrSigningKeyFingerprint' },
  ],
  sensitive: false,
};

export const encryptionSalts: ResourceDefinition = {
  type: 'EncryptionSalts.security.nodecore.dev',
  displayType: 'EncryptionSalt',
  description:
    'That keys can be locked to STATE, with a digest to tell one salt from another; never the salt.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [{ name: 'Digest', jsonPath: '$.digest' }],
  sensitive: true,
};

export const machineConfigs: ResourceDefinition = {
  type: 'MachineConfigs.config.nodecore.dev',
  displayType: 'MachineConfig',
  description:
    'The machine configuration as text, secrets redacted: v1alpha1 is active, persistent survives a reboot.',
  defaultNamespace: 'config',
  aliases: ['mc'],
  printColumns: [],
  sensitive: true,
};

export const resourceDefinitions: ResourceDefinition = {
  type: definitionType,
  displayType: 'ResourceDefinition',
  description: 'The types of resources that this node has.',
  defaultNamespace: definitionNamespace,
  aliases: ['rd', 'api-resources'],
  printColumns: [
    { name: 'Aliases', jsonPath: '$.aliases' },
    { name: 'Description', jsonPath: '$.description' },
  ],
  sensitive: false,
};

export const definitions: readonly ResourceDefinition[] = [
  blockDevices,
  discoveredVolumes,
  discoveryStatuses,
  disks,
  encryptionSalts,
  kvstoreDefragmentations,
  kvstoreMembers,
  kvstoreSnapshots,
  kvstoreStatuses,
  machineConfigs,
  mountRequests,
  mountStatuses,
  pressureDecisions,
  pressurePolicies,
  resourceDefinitions,
  securityStates,
  systemDisks,
  volumeMountRequests,
  volumeMountStatuses,
  volumeStatuses,
  volumeTrimStatuses,
];

/** The kind that a definition's resources have in its default namespace. */
export function kindOf({ type, defaultNamespace }: ResourceDefinition): Kind {
  return { type, namespace: defaultNamespace };
}

/** The id of a definition's own resource. */
export function definitionId({ type }: ResourceDefinition): string {
  return type.toLowerCase();
}

/** A definition as a resource. */
export function definitionSpec(definition: ResourceDefinition): Json {
  return { ...definition, names: [...namesOf(definition)] };
}
