import { EfiError } from './errors.ts';

/** GUIDs of the UEFI specification that this package uses, in lower case. */
export const guids = {
  /** EFI_GLOBAL_VARIABLE: PK, KEK, SecureBoot, SetupMode, Boot####. */
  global: '8be4df61-93ca-11d2-aa0d-00e098032b8c',
  /** EFI_IMAGE_SECURITY_DATABASE_GUID: db, dbx. */
  imageSecurity: 'd719b2cb-3d3a-4596-a3bc-dad00e67656f',
  /** EFI_CERT_X509_GUID: signatures of a list are certificates in DER. */
  x509: 'a5c059a1-94e4-4aa7-87b5-ab155c2bf072',
  /** EFI_CERT_SHA256_GUID: signatures of a list are digests of images. */
  sha256: 'c1c41626-504c-4092-aca9-41f936934328',
  /** EFI_CERT_X509_SHA256_GUID and its larger brothers: entries are a digest of what a certificate says, and since when it is revoked. */
  x509Sha256: '3bd2a492-96c0-4079-b420-fcf98ef103ed',
  x509Sha384: '7076876e-80c2-4ee6-aad2-28b349a6865b',
  x509Sha512: '446dbf63-2502-4cda-bcfa-2465d2b0fe9d',
  /** EFI_CERT_TYPE_PKCS7_GUID: what signs an authenticated variable. */
  pkcs7: '4aafd29d-68df-49ee-8aa9-347d375665a7',
} as const;

const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/**
 * The 16 bytes of a GUID: its first three fields are little-endian (UEFI 2.10, appendix A).
 *
 * @throws {EfiError} `ERR_EFI_VARIABLE` for text that is none.
 */
export function guidBytes(text: string): Buffer {
  const lower = text.toLowerCase();
  if (!form.test(lower)) throw new EfiError('ERR_EFI_VARIABLE', `${text} is no GUID`);
  const bytes = Buffer.from(lower.replaceAll('-', ''), 'hex');
  swap(bytes);
  return bytes;
}

/** The text of a GUID, in lower case, from its 16 bytes at `offset`. */
export function guidText(bytes: Uint8Array, offset = 0): string {
  const copy = Buffer.from(bytes.subarray(offset, offset + 16));
  swap(copy);
  const hex = copy.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function swap(bytes: Buffer): void {
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
}
