import * as pki from '@nodecore/pki';
import type { MachineRoot } from '@nodecore/config';

import { renewalMs } from '../keys/node-identity.ts';
import type { ServerCredentials } from '../server/credentials.ts';
import { certificateNames, nodeNames } from './node-names.ts';

/** The authority of a machine that can issue with it: of a control plane. */
export function issuingAuthority({ ca }: MachineRoot): pki.Identity | undefined {
  return ca.key === undefined ? undefined : { crt: ca.crt, key: ca.key };
}

/** Whose clients a machine lets in. */
export function clientAuthorities({ ca, acceptedCAs }: MachineRoot): readonly string[] {
  return [ca.crt, ...acceptedCAs];
}

/**
 * A server certificate from the machine's own authority, and the authorities whose clients it lets in. A machine without the key
 * of its authority shows a throw-away one: clients with a certificate are let in, and can't tell whom they met.
 */
export async function nodeCredentials(
  machine: MachineRoot,
  names: readonly string[] = certificateNames(machine),
): Promise<ServerCredentials> {
  const authority = issuingAuthority(machine);
  const { crt, key } =
    authority === undefined
      ? await pki.createMaintenanceIdentity({ names: nodeNames() })
      : await pki.issueServer(authority, { names, lifetimeMs: 2 * renewalMs });
  return { crt, key, clientAuthorities: clientAuthorities(machine) };
}

export type MaintenanceCredentials = ServerCredentials & { readonly fingerprint: string };

/** A throw-away certificate: encryption without identity, unless the client knows the fingerprint. */
export async function maintenanceCredentials(): Promise<MaintenanceCredentials> {
  const { crt, key, fingerprint } = await pki.createMaintenanceIdentity({ names: nodeNames() });
  return { crt, key, fingerprint, clientAuthorities: undefined };
}
