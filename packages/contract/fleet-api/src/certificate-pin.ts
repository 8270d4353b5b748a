import { createHash, X509Certificate } from 'node:crypto';

/** The most certificates that are looked at. */
const maxChain = 8;

/** What `fleetca=sha256:…` names: SHA-256 of a certificate as it is sent, hexadecimal. */
export function certificatePin(certificate: X509Certificate): string {
  return createHash('sha256').update(certificate.raw).digest('hex');
}

/**
 * Whether a chain, the server's own certificate first, leads to the pinned one: it is that certificate itself, or each was signed by
 * the next up to it. The server has proven by the handshake that it has the key of the first, so a copy of a public authority's
 * certificate alone is worth nothing.
 */
export function chainHasPin(chain: readonly X509Certificate[], pin: string): boolean {
  for (const [index, certificate] of chain.slice(0, maxChain).entries()) {
    if (certificatePin(certificate) === pin.toLowerCase()) return true;
    const issuer = chain[index + 1];
    if (issuer === undefined || !issuer.ca || !certificate.checkIssued(issuer)) return false;
    if (!certificate.verify(issuer.publicKey)) return false;
  }
  return false;
}

/** The chain that a TLS connection was shown, the server's own certificate first. */
export function peerChain(certificate: X509Certificate | undefined): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let next = certificate; next !== undefined && chain.length < maxChain; next = next.issuerCertificate) {
    chain.push(next);
    if (next.issuerCertificate === next) break;
  }
  return chain;
}
