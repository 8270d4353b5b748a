import { hostname, networkInterfaces } from 'node:os';

import type { MachineFacts } from '@nodecore/fleet-link';
import type { Store } from '@nodecore/state';

import { taggedImageVersion } from '../image/os-release.ts';
import { machineStatuses } from '../lifecycle/definitions.ts';
import { firmwareUuid } from '../persistence/machine-uuid.ts';
import { kindOf } from '../resources/definitions.ts';
import { extensionStatuses } from '../system/definitions.ts';

export type FactsParts = {
  readonly store: Pick<Store, 'list'>;
  /** SHA-256 of the public key that the node API shows now, in base64. */
  readonly publicKey: () => string | undefined;
  /** os-release of the image; undefined on a host that is not ours. */
  readonly osRelease: string | undefined;
  readonly uuid?: () => Promise<string | undefined>;
};

const most = 64;
const noUuid = '00000000-0000-0000-0000-000000000000';

/** What the node says of itself to its fleet. */
export async function machineFacts(parts: FactsParts): Promise<MachineFacts> {
  const { store, publicKey, osRelease, uuid = firmwareUuid } = parts;
  const [machine] = store.list(kindOf(machineStatuses)).resources;
  const { stage = 'booting' } = (machine?.spec ?? {}) as { readonly stage?: string };
  const schematicId = schematicOf(store);
  const nodeApiSpki = publicKey();
  return {
    uuid: (await uuid()) ?? noUuid,
    osVersion: osRelease === undefined ? 'host' : ((await taggedImageVersion(osRelease)) ?? 'unknown'),
    stage,
    hostname: hostname().slice(0, 256),
    addresses: addresses().slice(0, most),
    ...(nodeApiSpki !== undefined && { nodeApiSpki }),
    ...(schematicId !== undefined && { schematicId }),
  };
}

/** The layer that stands for the schematic has its ID for a version. */
function schematicOf(store: Pick<Store, 'list'>): string | undefined {
  for (const { spec } of store.list(kindOf(extensionStatuses)).resources) {
    const { metadata } = spec as {
      readonly metadata?: { readonly name?: string; readonly version?: string };
    };
    if (metadata?.name === 'schematic') return metadata.version;
  }
  return undefined;
}

function addresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address);
}
