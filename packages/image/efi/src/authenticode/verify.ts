import { createHash } from 'node:crypto';

import type { View } from '@nodecore/view';

import { EfiError } from '../errors.ts';
import { guids } from '../guid.ts';
import { authenticodeDigest } from '../pe/hashed.ts';
import { type Pe, readPe } from '../pe/pe.ts';
import type { SignatureList } from '../signature-list.ts';
import { signaturesOf } from './certificate-table.ts';

/** The databases of Secure Boot. */
export type Databases = {
  readonly db: readonly SignatureList[];
  readonly dbx?: readonly SignatureList[];
};

/**
 * Proves what the firmware will prove before it starts an image: a certificate of db signed it, and dbx forbids neither the
 * image nor the certificate. Stricter than firmware: the certificate itself must be in db, not one above it, and the time since which
 * one is revoked does not count, as no signature of ours has one.
 *
 * @returns the certificate of db, in DER.
 * @throws {EfiError} `ERR_EFI_SIGNATURE` for an image that is not signed by db, `ERR_EFI_REVOKED`, `ERR_EFI_PE`.
 */
export async function verifyPe(view: View, { db, dbx = [] }: Databases): Promise<Buffer> {
  const pe = await readPe(view);
  const digest = await authenticodeDigest(pe);
  if (entries(dbx, 'sha256').some((entry) => entry.equals(digest))) {
    throw new EfiError('ERR_EFI_REVOKED', 'dbx forbids this image by its digest');
  }
  if (pe.certificateBytes === 0) throw new EfiError('ERR_EFI_SIGNATURE', 'the image is not signed');
  const certificate = await signerOf(pe, digest, entries(db, 'x509'));
  if (certificate === undefined) {
    throw new EfiError('ERR_EFI_SIGNATURE', 'no certificate of db signed this image');
  }
  if (
    entries(dbx, 'x509').some((entry) => entry.equals(certificate)) ||
    (await isRevoked(certificate, dbx))
  ) {
    throw new EfiError('ERR_EFI_REVOKED', 'dbx forbids the certificate that signed this image');
  }
  return certificate;
}

async function signerOf(
  pe: Pe,
  digest: Uint8Array,
  certificates: readonly Buffer[],
): Promise<Buffer | undefined> {
  const { isSignedBy, readSignedData } = await import('../signed-data.ts');
  const { decodeIndirectData, indirectData } = await import('./indirect-data.ts');
  const table = await pe.view.slice(pe.end).bytes();
  for (const bytes of signaturesOf(table)) {
    const signature = readSignedData(bytes);
    if (signature.contentType !== indirectData || signature.content === undefined) continue;
    if (!decodeIndirectData(signature.content).equals(digest)) {
      throw new EfiError('ERR_EFI_SIGNATURE', 'the signature is for another image: its digest differs');
    }
    const found = certificates.find((certificate) => isSignedBy(signature, certificate));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** By a digest of what is signed of a certificate. */
async function isRevoked(certificate: Buffer, dbx: readonly SignatureList[]): Promise<boolean> {
  const { signedOfCertificate } = await import('../signed-data.ts');
  const signed = signedOfCertificate(certificate);
  return certificateDigests.some(([type, algorithm]) => {
    const digest = createHash(algorithm).update(signed).digest();
    return entries(dbx, type).some((entry) => entry.subarray(0, digest.length).equals(digest));
  });
}

const certificateDigests = [
  [guids.x509Sha256, 'sha256'],
  [guids.x509Sha384, 'sha384'],
  [guids.x509Sha512, 'sha512'],
] as const;

function entries(lists: readonly SignatureList[], type: SignatureList['type']): readonly Buffer[] {
  return lists.filter((list) => list.type === type).flatMap((list) => list.entries.map(({ data }) => data));
}
