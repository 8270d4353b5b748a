import { createHash } from 'node:crypto';

import { View } from '@nodecore/view';

import { PeChecksum } from '../pe/checksum.ts';
import { proveNoGaps } from '../pe/hashed.ts';
import { type Pe, readPe } from '../pe/pe.ts';
import type { Signer } from '../signer.ts';
import { certificateTable } from './certificate-table.ts';

/**
 * Signs an image for Secure Boot: Authenticode with SHA-256. The result is a view: new headers, the image's own bytes, the
 * certificate table. Signatures that it had are left out. The image is read once; equal inputs give equal bytes.
 *
 * @throws {EfiError} `ERR_EFI_PE`, `ERR_EFI_KEY`
 */
export async function signPe(view: View, signer: Signer, signal?: AbortSignal): Promise<View> {
  const pe = await readPe(view);
  proveNoGaps(pe);
  const body = paddedBody(pe);
  const headers = Buffer.from(pe.headers);
  const { checksum, security } = pe.at;
  headers.writeUInt32LE(0, checksum);
  const hash = createHash('sha256')
    .update(headers.subarray(0, checksum))
    .update(headers.subarray(checksum + 4, security))
    .update(headers.subarray(security + 8));
  // The checksum needs the headers of the end, which the signature is part of; words add up in any order.
  const sum = new PeChecksum();
  for await (const bytes of body.stream(signal === undefined ? {} : { signal })) {
    hash.update(bytes);
    sum.update(bytes);
  }
  const table = await signatureTable(hash.digest(), signer);
  headers.writeUInt32LE(headers.length + body.size, security);
  headers.writeUInt32LE(table.length, security + 4);
  headers.writeUInt32LE(sum.update(table).update(headers).digest(), checksum);
  return View.of(headers, body, table);
}

async function signatureTable(digest: Uint8Array, signer: Signer): Promise<Buffer> {
  // The library of certificates takes long to load; who only reads images does not wait for it.
  const { encodeIndirectData, indirectData } = await import('./indirect-data.ts');
  const { signData, wrapSignedData } = await import('../signed-data.ts');
  const data = await signData({ type: indirectData, der: encodeIndirectData(digest) }, signer);
  return certificateTable(wrapSignedData(data));
}

/** What is behind the headers, up to a multiple of 8 in the file, where the certificate table begins. The padding is signed. */
function paddedBody({ view, headers, end }: Pe): View {
  const padding = (8 - (end % 8)) % 8;
  return View.of(view.slice(headers.length, end), Buffer.alloc(padding));
}
