import {
  isImpersonator,
  permits,
  permitsInMaintenance,
  permitsSensitive,
  type Role,
  rolesFor,
  rolesOf,
} from '@nodecore/api';
import { addressGroup } from '@nodecore/listener';

import { ServerError } from './errors.ts';

/** Who calls, as far as the connection proves it. */
export type Caller = {
  /** The connection was made before the first configuration: no certificate is known, and no caller is trusted. */
  readonly maintenance: boolean;
  readonly roles: ReadonlySet<string>;
  /** Common name of the certificate; `anonymous` in maintenance. */
  readonly name: string;
  /** Of the certificate, as hexadecimal digits; empty in maintenance. */
  readonly serial: string;
  /** SHA-256 of the certificate; empty in maintenance. */
  readonly fingerprint: string;
  /** Whose budgets its connections and calls count for: the certificate, or the address. */
  readonly identity: string;
  readonly isAdmin: boolean;
  /** Another node, which calls for others; see `actualCaller`. */
  readonly isImpersonator: boolean;
  /** The node that passes the call on, by the name in its certificate; undefined when the caller is connected itself. */
  readonly via: string | undefined;
  /** When the certificate ends, in milliseconds since the Unix epoch. */
  readonly expiresMs: number;
};

/** The part of a peer's certificate that matters here; Node.js has it as `PeerCertificate`. */
export type ClientCertificate = {
  readonly subject?:
    | { readonly O?: string | readonly string[]; readonly CN?: string | readonly string[] }
    | undefined;
  readonly ext_key_usage?: readonly string[] | undefined;
  readonly serialNumber?: string;
  readonly fingerprint256?: string;
  readonly valid_to?: string;
};

/** RFC 5280, 4.2.1.12: id-kp-clientAuth. */
const clientAuthentication = '1.3.6.1.5.5.7.3.2';

/** Any caller from this address before the first configuration. */
export function anonymousCaller(address?: string): Caller {
  return {
    maintenance: true,
    roles: new Set(),
    name: 'anonymous',
    serial: '',
    fingerprint: '',
    identity: addressGroup(address),
    isAdmin: false,
    isImpersonator: false,
    via: undefined,
    expiresMs: Infinity,
  };
}

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
  const { subject, serialNumber = '', fingerprint256 = '', valid_to: validTo } = certificate ?? {};
  const roles = rolesOf(certificate);
  const fingerprint = fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    maintenance: false,
    roles,
    name: [subject?.CN ?? ''].flat().join(', '),
    serial: serialNumber,
    fingerprint,
    identity: fingerprint,
    isAdmin: roles.has('os:admin'),
    isImpersonator: isImpersonator(certificate),
    via: undefined,
    expiresMs: validTo === undefined ? Infinity : Date.parse(validTo),
  };
}

/** A part of the agent that calls the API, and may no more than these roles. */
export function ownCaller(name: string, roles: readonly Role[]): Caller {
  return {
    ...anonymousCaller(),
    maintenance: false,
    roles: new Set(roles),
    name,
    identity: name,
    isAdmin: roles.includes('os:admin'),
  };
}

/** Whether the caller may call the method. */
export function mayCall({ maintenance, roles }: Caller, path: string): boolean {
  return maintenance ? permitsInMaintenance(path) : permits(roles, path);
}

/** @throws {ServerError} `ERR_SERVER_DENIED` when the caller may not call the method. */
export function authorise(caller: Caller, path: string): void {
  if (mayCall(caller, path)) return;
  const { maintenance, roles } = caller;
  const why = maintenance
    ? 'not served before the first configuration'
    : `needs ${rolesFor(path).join(' or ')}, and the certificate has ${[...roles].join(', ') || 'no role'}`;
  throw new ServerError('ERR_SERVER_DENIED', `${path}: ${why}`);
}

/** Whether the caller may read resources that hold secrets, or may hold them one day. */
export function mayReadSensitive({ maintenance, roles }: Pick<Caller, 'maintenance' | 'roles'>): boolean {
  return !maintenance && permitsSensitive(roles);
}
