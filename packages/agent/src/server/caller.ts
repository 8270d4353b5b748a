import { permits, permitsInMaintenance, permitsSensitive, rolesOf } from '@nodecore/api';

import { ServerError } from './errors.ts';

/** Who calls, as far as the connection proves it. */
export type Caller = {
  /** The connection was made before the first configuration: nobody is known, and nobody is trusted. */
  readonly maintenance: boolean;
  readonly roles: ReadonlySet<string>;
};

/** The part of a peer's certificate that matters here; Node.js has it as `PeerCertificate`. */
export type ClientCertificate = {
  readonly subject?: { readonly O?: string | readonly string[] } | undefined;
  readonly ext_key_usage?: readonly string[] | undefined;
};

export const maintenanceCaller: Caller = { maintenance: true, roles: new Set(['os:reader']) };

/** RFC 5280, 4.2.1.12: id-kp-clientAuth. */
const clientAuthentication = '1.3.6.1.5.5.7.3.2';

/**
 * The caller behind a certificate that the handshake has verified.
 *
 * @throws {ServerError} for a certificate with any other extended key usage: one that was issued to a server, or for
 *   several purposes, must not open the node.
 */
export function certifiedCaller(certificate: ClientCertificate | undefined): Caller {
  const usages = certificate?.ext_key_usage ?? [];
  if (usages.length !== 1 || usages[0] !== clientAuthentication) {
    const message = 'a certificate for clients only (extended key usage clientAuth) is needed';
    throw new ServerError('ERR_SERVER_UNAUTHENTICATED', message);
  }
  return { maintenance: false, roles: rolesOf(certificate) };
}

/** @throws {ServerError} `ERR_SERVER_DENIED` when the caller may not call the method. */
export function authorise({ maintenance, roles }: Caller, path: string): void {
  const allowed = maintenance ? permitsInMaintenance(path) : permits(roles, path);
  if (allowed) return;
  const why = maintenance
    ? 'not served before the first configuration'
    : `not allowed for ${[...roles].join(', ') || 'a certificate without roles'}`;
  throw new ServerError('ERR_SERVER_DENIED', `${path}: ${why}`);
}

/** Whether the caller may read resources that hold secrets, or may hold them one day. */
export function mayReadSensitive({ maintenance, roles }: Caller): boolean {
  return !maintenance && permitsSensitive(roles);
}
