import { ringKeyIdBytes } from '../ring/key-ring.ts';

/**
 * What a seal answers: a header in clear, then AES-256-GCM.
 *
 * | Bytes | |
 * |---|---|
 * | 4 | `NCKM` |
 * | 1 | version, 1 |
 * | 1 | 1 when the volume is part of what is authenticated, else 0 |
 * | 8 | id of the ring key |
 * | 12 | nonce |
 * | 32 | the key, encrypted |
 * | 16 | tag |
 */
export type Blob = {
  readonly keyId: string;
  readonly boundToVolume: boolean;
  /** Everything before the nonce; authenticated with the rest. */
  readonly header: Buffer;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
};

const magic = Buffer.from('NCKM');
const version = 1;
const idAt = 6;
const nonceAt = idAt + ringKeyIdBytes;
const nonceBytes = 12;
const ciphertextAt = nonceAt + nonceBytes;
const tagAt = ciphertextAt + 32;
/** The one length that version 1 has. */
export const blobBytes: number = tagAt + 16;

/** The first 14 bytes of a blob, which are authenticated but not encrypted. @param keyId 16 hexadecimal digits. */
export function headerOf(keyId: string, boundToVolume: boolean): Buffer {
  return Buffer.concat([magic, Buffer.from([version, Number(boundToVolume)]), Buffer.from(keyId, 'hex')]);
}

/** Reads a blob; the parts are views. Undefined for bytes that no seal can have answered. */
export function parseBlob(data: Uint8Array): Blob | undefined {
  if (data.byteLength !== blobBytes) return undefined;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const flag = bytes[magic.byteLength + 1];
  if (magic.compare(bytes, 0, magic.byteLength) !== 0 || bytes[magic.byteLength] !== version)
    return undefined;
  if (flag !== 0 && flag !== 1) return undefined;
  return {
    keyId: bytes.toString('hex', idAt, nonceAt),
    boundToVolume: flag === 1,
    header: bytes.subarray(0, nonceAt),
    nonce: bytes.subarray(nonceAt, ciphertextAt),
    ciphertext: bytes.subarray(ciphertextAt, tagAt),
    tag: bytes.subarray(tagAt),
  };
}
