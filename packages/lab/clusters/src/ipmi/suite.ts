import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** How a session is proven and kept secret (IPMI 2.0, table 22-20). All of ours encrypt. */
export type CipherSuite = {
  readonly id: number;
  readonly authentication: number;
  readonly integrity: number;
  readonly hash: 'sha1' | 'sha256';
  /** Bytes of the code behind each packet. */
  readonly codeBytes: number;
};

/** AES-CBC-128. */
export const confidentiality = 1;

/** 17 is what clients take by themselves; 3 is for those from before 2013. */
export const suites: readonly CipherSuite[] = [
  { id: 17, authentication: 3, integrity: 4, hash: 'sha256', codeBytes: 16 },
  { id: 3, authentication: 1, integrity: 1, hash: 'sha1', codeBytes: 12 },
];

const blockBytes = 16;
/** What the keys of a session are made of (13.32). */
const constantBytes = 20;

/** The hash of all that is given, with a key. */
export function mac({ hash }: CipherSuite, key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const hmac = createHmac(hash, key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** The code behind a packet, or that ends the exchange of keys. */
export function code(suite: CipherSuite, key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  return mac(suite, key, ...parts).subarray(0, suite.codeBytes);
}

/** The n-th key of a session: 1 for codes, 2 for secrecy. */
export function sessionKey(suite: CipherSuite, sessionSecret: Uint8Array, number: 1 | 2): Buffer {
  return mac(suite, sessionSecret, Buffer.alloc(constantBytes, number));
}

/** @param key the first 16 bytes count */
export function encrypt(key: Buffer, data: Buffer): Buffer {
  const iv = randomBytes(blockBytes);
  const padBytes = (blockBytes - ((data.length + 1) % blockBytes)) % blockBytes;
  const pad = Buffer.from([...Array.from({ length: padBytes }, (_, index) => index + 1), padBytes]);
  const cipher = createCipheriv('aes-128-cbc', key.subarray(0, blockBytes), iv).setAutoPadding(false);
  return Buffer.concat([iv, cipher.update(Buffer.concat([data, pad])), cipher.final()]);
}

/** Undefined for what nobody has encrypted so. */
export function decrypt(key: Buffer, bytes: Buffer): Buffer | undefined {
  if (bytes.length < 2 * blockBytes || bytes.length % blockBytes !== 0) return undefined;
  const iv = bytes.subarray(0, blockBytes);
  const decipher = createDecipheriv('aes-128-cbc', key.subarray(0, blockBytes), iv).setAutoPadding(false);
  const data = Buffer.concat([decipher.update(bytes.subarray(blockBytes)), decipher.final()]);
  const padBytes = data.readUInt8(data.length - 1);
  return padBytes < blockBytes ? data.subarray(0, data.length - 1 - padBytes) : undefined;
}
