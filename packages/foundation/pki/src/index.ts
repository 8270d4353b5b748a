/** Certificates of nodes and users: Ed25519 throughout. Nothing heavy loads before the first call. */
export { authorityLifetimeMs, createCA, readCertificate, type Identity } from './pki-authority.ts';
export { PkiError, type PkiErrorCode } from './pki-errors.ts';
export { fingerprint, matchesFingerprint, parseFingerprint } from './pki-fingerprint.ts';
export {
  createMaintenanceIdentity,
  issueClient,
  issueNamedClient,
  issueNode,
  issueServer,
  shortLifetimeMs,
  signCSR,
  userLifetimeMs,
  type MaintenanceIdentity,
  type Usage,
} from './pki-issue.ts';
export { generateKey } from './pki-key.ts';
export { createCSR, type RequestOptions } from './pki-request.ts';
export { type Lifetime } from './pki-validity.ts';
