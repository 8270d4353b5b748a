/** Certificates of nodes and their users: Ed25519 throughout. The certificate library loads at the first call. */
export { authorityLifetimeMs, createCA, readCertificate, type Identity } from './authority.ts';
export { PkiError, type PkiErrorCode } from './errors.ts';
export { fingerprint, matchesFingerprint, parseFingerprint } from './fingerprint.ts';
export {
  createMaintenanceIdentity,
  issueClient,
  issueNamedClient,
  issueNode,
  issueServer,
  shortLifetimeMs,
  signClientCSR,
  signCSR,
  signNodeCSR,
  signServerCSR,
  userLifetimeMs,
  type MaintenanceIdentity,
  type Usage,
} from './issue.ts';
export { generateKey } from './key.ts';
export { bareRequestKey, createCSR, type RequestOptions } from './request.ts';
export { type Lifetime } from './validity.ts';
export { createWebAuthority, issueWebServer } from './web.ts';
