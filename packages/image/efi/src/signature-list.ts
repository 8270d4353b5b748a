import { EfiError } from './errors.ts';
import { guidBytes, guids, guidText } from './guid.ts';
import { readCertificate } from './signer.ts';

/** EFI_SIGNATURE_LIST: entries of one type and one size. */
export type SignatureList = {
  /** `x509`: certificates in DER; `sha256`: digests of images; any other as its GUID. */
  readonly type: 'x509' | 'sha256' | (string & {});
  readonly entries: readonly SignatureEntry[];
};

/** An entry, and the GUID of who put it there. */
export type SignatureEntry = { readonly owner: string; readonly data: Buffer };

const headerBytes = 28;
const ownerBytes = 16;
/** Firmware has room for 32 to 128 KiB. */
const maxBytes = 1 << 20;

const names: ReadonlyMap<string, string> = new Map([
  [guids.x509, 'x509'],
  [guids.sha256, 'sha256'],
]);

/** A list of one certificate, PEM or DER. Certificates differ in size, so each has a list of its own. */
export function certificateList(certificate: Uint8Array, owner: string): SignatureList {
  return { type: 'x509', entries: [{ owner, data: Buffer.from(readCertificate(certificate).raw) }] };
}

/** @throws {EfiError} `ERR_EFI_SIGNATURE_LIST` for entries of different sizes, and for a list without one. */
export function encodeSignatureLists(lists: readonly SignatureList[]): Buffer {
  return Buffer.concat(lists.map(encodeOne));
}

function encodeOne({ type, entries }: SignatureList): Buffer {
  const size = entries[0]?.data.length;
  if (size === undefined) throw invalid('it has no entry');
  if (entries.some(({ data }) => data.length !== size)) throw invalid('its entries differ in size');
  const header = Buffer.alloc(headerBytes);
  header.set(guidBytes(type === 'x509' ? guids.x509 : type === 'sha256' ? guids.sha256 : type));
  header.writeUInt32LE(headerBytes + entries.length * (ownerBytes + size), 16);
  header.writeUInt32LE(ownerBytes + size, 24);
  return Buffer.concat([header, ...entries.flatMap(({ owner, data }) => [guidBytes(owner), data])]);
}

/**
 * Reads the value of PK, KEK, db or dbx: lists one behind the other.
 *
 * @throws {EfiError} `ERR_EFI_SIGNATURE_LIST` naming what is wrong; never reads behind the end.
 */
export function parseSignatureLists(bytes: Uint8Array): readonly SignatureList[] {
  if (bytes.length > maxBytes) throw invalid(`it has ${bytes.length} bytes`);
  const data = Buffer.from(bytes);
  const lists: SignatureList[] = [];
  for (let at = 0; at < data.length;) {
    if (data.length - at < headerBytes) throw invalid('a list is cut off');
    const listBytes = data.readUInt32LE(at + 16);
    if (listBytes < headerBytes || listBytes > data.length - at)
      throw invalid(`a list of ${listBytes} bytes`);
    lists.push(parseOne(data.subarray(at, at + listBytes)));
    at += listBytes;
  }
  return lists;
}

function parseOne(list: Buffer): SignatureList {
  const vendorBytes = list.readUInt32LE(20);
  const entryBytes = list.readUInt32LE(24);
  const room = list.length - headerBytes - vendorBytes;
  if (room < 0 || entryBytes <= ownerBytes || room % entryBytes !== 0) {
    throw invalid(`entries of ${entryBytes} bytes in ${room}`);
  }
  const type = guidText(list);
  const isDigest = type === guids.sha256;
  if (isDigest && entryBytes !== ownerBytes + 32)
    throw invalid(`digests of ${entryBytes - ownerBytes} bytes`);
  const start = headerBytes + vendorBytes;
  const entries = Array.from({ length: room / entryBytes }, (_, n) => {
    const entry = list.subarray(start + n * entryBytes, start + (n + 1) * entryBytes);
    return { owner: guidText(entry), data: entry.subarray(ownerBytes) };
  });
  return { type: names.get(type) ?? type, entries };
}

function invalid(why: string): EfiError {
  return new EfiError('ERR_EFI_SIGNATURE_LIST', `not a signature list: ${why}`);
}
