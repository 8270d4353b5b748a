import { requirements } from '../gen/nodecore-v1.js';

/** The roles a certificate can carry in its organization, one organization per role. */
export const roles = [
  'os:admin',
  'os:operator',
  'os:reader',
  'os:capture',
  'os:kvstore:backup',
  'os:meta:writer',
] as const;

export type Role = (typeof roles)[number];

/**
 * What the certificate has by which a node passes calls of others on to another node. It opens nothing by itself, and nobody is
 * granted it: nodes that have the authority's key make it for themselves.
 */
export const impersonator = 'os:impersonator';

/** What a method asks of its caller. */
export type Requirement = {
  /** Any one of these is enough. */
  readonly roles: readonly string[];
  /** Served to anybody while the node has no configuration. */
  readonly maintenance: boolean;
};

const adminOnly: Requirement = { roles: ['os:admin'], maintenance: false };

/** The requirement of a method by its path, `/nodecore.v1.MachineService/Version`. A method nobody declared needs os:admin. */
export function requirementOf(path: string): Requirement {
  const declared = Object.hasOwn(requirements, path) ? requirements[path] : undefined;
  return declared === undefined || declared.roles.length === 0 ? adminOnly : declared;
}

/** The path of each method of the API. */
export function methodPaths(): readonly string[] {
  return Object.keys(requirements);
}

/** Each role that is enough for a method. */
export function rolesFor(path: string): readonly string[] {
  const { roles: declared } = requirementOf(path);
  const implied = declared.includes('os:reader') ? ['os:operator'] : [];
  return [...new Set([...declared, ...implied, 'os:admin'])];
}

/** Whether a caller with these roles may call the method. Roles nobody defined are worth nothing. */
export function permits(held: Iterable<string>, path: string): boolean {
  const needed = requirementOf(path).roles;
  for (const role of held) {
    if (role === 'os:admin' || needed.includes(role)) return true;
    if (role === 'os:operator' && needed.includes('os:reader')) return true;
  }
  return false;
}

/** Whether the method is served without a certificate before the first configuration. */
export function permitsInMaintenance(path: string): boolean {
  return requirementOf(path).maintenance;
}

/** Whether a caller with these roles may read resources whose definition is sensitive. */
export function permitsSensitive(held: Iterable<string>): boolean {
  return [...held].includes('os:admin');
}

/** Whether a certificate is one by which a node passes calls of others on, and nothing else. */
export function isImpersonator(certificate: CertificateSubject | undefined): boolean {
  const values = organizationsOf(certificate);
  return values.length === 1 && values[0] === impersonator;
}

/**
 * The roles in a certificate as `tls.TLSSocket.getPeerCertificate()` or `X509Certificate.toLegacyObject()` gives it.
 * Empty when there is none, and values that are no role are dropped.
 */
export function rolesOf(certificate: CertificateSubject | undefined): ReadonlySet<Role> {
  const values = organizationsOf(certificate);
  return new Set(roles.filter((role) => values.includes(role)));
}

/** The part of a certificate that roles are read from. An absent certificate is an empty object in Node.js. */
export type CertificateSubject = {
  readonly subject?: { readonly O?: string | readonly string[] | undefined } | undefined;
};

function organizationsOf(certificate: CertificateSubject | undefined): readonly string[] {
  const organization = certificate?.subject?.O ?? [];
  return typeof organization === 'string' ? [organization] : organization;
}
