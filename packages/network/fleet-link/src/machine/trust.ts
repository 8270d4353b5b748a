import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { certificatePin } from '@nodecore/fleet-api/join';

import { LinkError } from '../errors.ts';

/** RFC 5280, 4.2.1.12: id-kp-serverAuth. */
const serverAuthentication = '1.3.6.1.5.5.7.3.1';
/** From the server's certificate to the pinned one. */
const maxChain = 4;

/**
 * Checks the certificate of a connection against a pinned one: the server's own, or that of an authority that the server has sent
 * with it. Below an authority it must be a certificate for servers with the name of the host: the same authority may have
 * issued others.
 *
 * @throws {LinkError} `ERR_LINK_CERTIFICATE`.
 */
export function checkPinned(socket: TLSSocket, host: string, pin: string): void {
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined || !isValidNow(leaf)) throw untrusted('it is not valid now');
  if (certificatePin(leaf) === pin) return;
  let certificate = leaf;
  for (let depth = 0; depth < maxChain; depth += 1) {
    const issuer: X509Certificate | undefined = certificate.issuerCertificate;
    if (issuer === undefined || !isIssuedBy(certificate, issuer)) break;
    if (certificatePin(issuer) === pin) {
      checkLeaf(leaf, host);
      return;
    }
    certificate = issuer;
  }
  throw untrusted('neither it nor an authority above it is the pinned one');
}

function checkLeaf(leaf: X509Certificate, host: string): void {
  // Of X509Certificate, `keyUsage` is what is called extended key usage elsewhere.
  const usages: readonly string[] = leaf.keyUsage ?? [];
  if (!usages.includes(serverAuthentication)) throw untrusted('it is not one for servers');
  const name = isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host);
  if (name === undefined) throw untrusted(`it is not for ${host}`);
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  const isIssued = issuer.ca && isValidNow(issuer) && certificate.checkIssued(issuer);
  return isIssued && certificate.verify(issuer.publicKey);
}

function isValidNow({ validFromDate, validToDate }: X509Certificate): boolean {
  const now = Date.now();
  return now >= validFromDate.getTime() && now < validToDate.getTime();
}

function untrusted(reason: string): LinkError {
  return new LinkError('ERR_LINK_CERTIFICATE', `the certificate of the fleet: ${reason}`);
}
