import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

import { generateKey } from '@nodecore/pki';
import type { Secret } from '@nodecore/sys';

import { LinkError } from './errors.ts';

/** What a machine is to its fleet: its key. The holder disposes it. */
export type LinkIdentity = {
  /** Ed25519, PKCS #8 in PEM. */
  readonly key: Secret;
  /** What the fleet has issued for the key, PEM. */
  readonly certificate?: string | undefined;
};

const exporterLabel = 'EXPORTER-nodecore-fleet-link';
const proofLabel = Buffer.from('nodecore fleet-link/1 provision\0');

/** A new identity, for a machine that has none. */
export async function createLinkIdentity(): Promise<LinkIdentity> {
  return { key: await generateKey() };
}

/** The subject public key info of an identity, DER. */
export function publicKeyOf({ key }: LinkIdentity): Buffer {
  return createPublicKey(createPrivateKey(key.bytes)).export({ type: 'spki', format: 'der' });
}

/** The id of a machine: a UUID of version 8 from SHA-256 of its public key. @param spki DER. */
export function machineId(spki: Uint8Array): string {
  const bytes = createHash('sha256').update(spki).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}

/** Proves that the machine at this end of the connection has the key: what another connection has seen does not fit. */
export function prove({ key }: LinkIdentity, socket: TLSSocket): string {
  return sign(null, proven(socket), createPrivateKey(key.bytes)).toString('base64');
}

/**
 * Checks what {@link prove} has made at the other end of the same connection.
 *
 * @param spki DER of the key that the machine names.
 * @throws {LinkError} `ERR_LINK_PROOF`.
 */
export function checkProof(spki: Buffer, proof: Buffer, socket: TLSSocket): void {
  let isProven = false;
  try {
    const key = createPublicKey({ key: spki, type: 'spki', format: 'der' });
    // The id is a digest of these bytes: another encoding of the same key would be another machine.
    const isExact = spki.equals(key.export({ type: 'spki', format: 'der' }));
    isProven = key.asymmetricKeyType === 'ed25519' && isExact && verify(null, proven(socket), key, proof);
  } catch {
    // not a key
  }
  if (!isProven) throw new LinkError('ERR_LINK_PROOF', 'the machine does not have the key that it names');
}

function proven(socket: TLSSocket): Buffer {
  return Buffer.concat([proofLabel, socket.exportKeyingMaterial(32, exporterLabel, Buffer.alloc(0))]);
}
