import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

import type { Endpoint } from '@nodecore/kms-endpoint';
import { KmsError } from './errors.ts';
import type { PeerOptions } from './peer-options.ts';

type Identity = NonNullable<PeerOptions['identity']>;

const nobody = {};
/**
 * Contexts with roots of ours: reading the 146 of Node.js again takes 7 ms of the main loop. By the arrays and objects
 * that callers keep, and gone with them.
 */
const contexts = new WeakMap<readonly string[], WeakMap<object, SecureContext>>();

/** Whom we trust and who we are. @throws {KmsError} `ERR_KMS_CERTIFICATE`, reason `unusable`. */
export function secureContext(
  endpoint: Endpoint,
  { roots = [], identity }: Pick<PeerOptions, 'roots' | 'identity'>,
): SecureContext {
  if (roots.length === 0) return create(endpoint, {}, identity);
  const ofRoots = contexts.get(roots) ?? new WeakMap<object, SecureContext>();
  contexts.set(roots, ofRoots);
  const known = ofRoots.get(identity ?? nobody);
  if (known !== undefined) return known;
  checkRoots(endpoint, roots);
  const context = create(endpoint, { ca: [...getCACertificates('default'), ...roots].join('\n') }, identity);
  ofRoots.set(identity ?? nobody, context);
  return context;
}

function create(endpoint: Endpoint, trust: { ca?: string }, identity: Identity | undefined): SecureContext {
  const own = identity === undefined ? {} : { cert: identity.certificate, key: identity.key.bytes };
  try {
    return createSecureContext({ ...trust, ...own });
  } catch (error) {
    // OpenSSL's reason names no bytes; its error object is left behind all the same.
    const reason = error instanceof Error && 'reason' in error ? `: ${String(error.reason)}` : '';
    throw unusable(endpoint, `our certificate and key can't be used${reason}`);
  }
}

/** OpenSSL skips what it can't read, and a root that is missing shows only as an untrusted server. */
function checkRoots(endpoint: Endpoint, roots: readonly string[]): void {
  for (const [index, root] of roots.entries()) {
    try {
      void new X509Certificate(root);
    } catch {
      throw unusable(endpoint, `trusted root ${index + 1} of ${roots.length} is no certificate in PEM`);
    }
  }
}

function unusable({ text }: Endpoint, message: string): KmsError {
  return new KmsError('ERR_KMS_CERTIFICATE', text, message, { reason: 'unusable' });
}
