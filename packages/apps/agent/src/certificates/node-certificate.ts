import { hostname, networkInterfaces } from 'node:os';

import * as pki from '@nodecore/pki';
import type { MachineRoot } from '@nodecore/config';

import { renewalMs } from '../keys/node-identity.ts';
import type { ServerCredentials } from '../server/credentials.ts';

/** A server certificate from the machine's own authority, and the authorities whose clients it lets in. */
export async function nodeCredentials(machine: MachineRoot): Promise<ServerCredentials> {
  const names = [...new Set([...nodeNames(), ...machine.certSANs])];
  const { crt, key } = await pki.issueServer(machine.ca, { names, lifetimeMs: 2 * renewalMs });
  return { crt, key, clientAuthorities: [machine.ca.crt, ...machine.acceptedCAs] };
}

export type MaintenanceCredentials = ServerCredentials & { readonly fingerprint: string };

/** A throw-away certificate: encryption without identity, unless the client knows the fingerprint. */
export async function maintenanceCredentials(): Promise<MaintenanceCredentials> {
  const { crt, key, fingerprint } = await pki.createMaintenanceIdentity({ names: nodeNames() });
  return { crt, key, fingerprint, clientAuthorities: undefined };
}

/** Every address and name by which this machine may be called. */
function nodeNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [
    ...new Set([hostname(), 'localhost', ...addresses.map(({ address }) => address.split('%')[0] ?? '')]),
  ];
}
