import { EfiError } from '../errors.ts';

/** WIN_CERTIFICATE: length, revision 2.0, PKCS #7 SignedData. */
const headerBytes = 8;
const revision = 0x0200;
const pkcsSignedData = 0x0002;

/**
 * A certificate table with one signature. EDK II adds up the lengths of the entries, each rounded up to 8, and refuses the image
 * when the directory's size is another: so nothing is behind the padding.
 */
export function certificateTable(signature: Uint8Array): Buffer {
  const length = headerBytes + signature.length;
  const table = Buffer.alloc(Math.ceil(length / 8) * 8);
  table.writeUInt32LE(length, 0);
  table.writeUInt16LE(revision, 4);
  table.writeUInt16LE(pkcsSignedData, 6);
  table.set(signature, headerBytes);
  return table;
}

/**
 * The PKCS #7 signatures of a table, as the firmware walks it. Entries of other types are left out.
 *
 * @throws {EfiError} `ERR_EFI_SIGNATURE` when entries do not fill the table exactly: the firmware refuses such images.
 */
export function signaturesOf(table: Uint8Array): readonly Uint8Array[] {
  const data = Buffer.from(table.buffer, table.byteOffset, table.length);
  const found: Uint8Array[] = [];
  let at = 0;
  while (at < data.length) {
    const length = at + headerBytes <= data.length ? data.readUInt32LE(at) : 0;
    const padded = Math.ceil(length / 8) * 8;
    if (length < headerBytes || at + padded > data.length) {
      throw new EfiError('ERR_EFI_SIGNATURE', 'the certificate table does not end with its last entry');
    }
    const isPkcs = data.readUInt16LE(at + 4) === revision && data.readUInt16LE(at + 6) === pkcsSignedData;
    if (isPkcs) found.push(data.subarray(at + headerBytes, at + length));
    at += padded;
  }
  return found;
}
