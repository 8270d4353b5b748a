import { createHash } from 'node:crypto';

import { View } from '@nodecore/view';

import { EfiError } from '../errors.ts';
import type { Pe } from './pe.ts';

/**
 * What Authenticode hashes of a file: everything but the checksum, the entry of the certificate table and the table itself.
 *
 * @throws {EfiError} `ERR_EFI_PE` when bytes lie between sections: firmware leaves them out and other programs don't.
 */
export function hashedView(pe: Pe): View {
  const { headers, at, view, end } = pe;
  proveNoGaps(pe);
  return View.of(
    headers.subarray(0, at.checksum),
    headers.subarray(at.checksum + 4, at.security),
    headers.subarray(at.security + 8),
    view.slice(headers.length, end),
  );
}

/** The SHA-256 that Authenticode signs, and that the firmware extends PCR 4 with. */
export async function authenticodeDigest(pe: Pe): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const bytes of hashedView(pe).stream()) hash.update(bytes);
  return hash.digest();
}

/** @throws {EfiError} `ERR_EFI_PE` */
export function proveNoGaps({ sections, headers }: Pe): void {
  let end = headers.length;
  for (const { offset, size } of sections
    .filter(({ size }) => size > 0)
    .toSorted((a, b) => a.offset - b.offset)) {
    if (offset !== end) {
      throw new EfiError(
        'ERR_EFI_PE',
        `bytes ${end} to ${offset} belong to no section: a signature may not cover them`,
      );
    }
    end = offset + size;
  }
}
