import { hexNumber } from '../text.ts';
import type { Tls, TlsHandshake, TlsRecord } from './tls.ts';

const versions: ReadonlyMap<number, string> = new Map([
  [0x0300, 'SSLv3'],
  [0x0301, 'TLSv1.0'],
  [0x0302, 'TLSv1.1'],
  [0x0303, 'TLSv1.2'],
  [0x0304, 'TLSv1.3'],
]);

const ciphers: ReadonlyMap<number, string> = new Map([
  [0x1301, 'AES_128_GCM_SHA256'],
  [0x1302, 'AES_256_GCM_SHA384'],
  [0x1303, 'CHACHA20_POLY1305_SHA256'],
  [0xc02b, 'ECDHE_ECDSA_AES_128_GCM_SHA256'],
  [0xc02c, 'ECDHE_ECDSA_AES_256_GCM_SHA384'],
  [0xc02f, 'ECDHE_RSA_AES_128_GCM_SHA256'],
  [0xc030, 'ECDHE_RSA_AES_256_GCM_SHA384'],
  [0xcca8, 'ECDHE_RSA_CHACHA20_POLY1305_SHA256'],
  [0xcca9, 'ECDHE_ECDSA_CHACHA20_POLY1305_SHA256'],
]);

/** RFC 8446, section 6, and the registry for the rest */
const alerts: ReadonlyMap<number, string> = new Map([
  [0, 'close notify'],
  [10, 'unexpected message'],
  [20, 'bad record mac'],
  [22, 'record overflow'],
  [40, 'handshake failure'],
  [42, 'bad certificate'],
  [43, 'unsupported certificate'],
  [44, 'certificate revoked'],
  [45, 'certificate expired'],
  [46, 'certificate unknown'],
  [47, 'illegal parameter'],
  [48, 'unknown ca'],
  [49, 'access denied'],
  [50, 'decode error'],
  [51, 'decrypt error'],
  [70, 'protocol version'],
  [71, 'insufficient security'],
  [80, 'internal error'],
  [86, 'inappropriate fallback'],
  [90, 'user canceled'],
  [109, 'missing extension'],
  [110, 'unsupported extension'],
  [112, 'unrecognized name'],
  [113, 'bad certificate status response'],
  [115, 'unknown psk identity'],
  [116, 'certificate required'],
  [120, 'no application protocol'],
]);

const versionText = (version: number): string => versions.get(version) ?? hexNumber(version, 4);
const grease = (version: number): boolean => (version & 0x0f0f) === 0x0a0a;

/** `TLS: ` and the records of the segment, between semicolons. */
export function tlsLine({ records }: Tls, verbose: number): string {
  return `TLS: ${records.map((record) => recordText(record, verbose)).join('; ')}`;
}

function recordText(record: TlsRecord, verbose: number): string {
  const size = verbose > 0 || record.type === 23 ? `, length ${record.length}` : '';
  const more = record.continued === true ? ' …' : '';
  if (record.alert !== undefined) {
    const { level, description } = record.alert;
    return `alert ${level === 2 ? 'fatal' : 'warning'} ${alerts.get(description) ?? description}${size}`;
  }
  if (record.handshakes === undefined || record.handshakes.length === 0)
    return `${record.name}${size}${more}`;
  return record.handshakes.map((message) => handshakeText(message, verbose)).join(', ') + size + more;
}

function handshakeText(message: TlsHandshake, verbose: number): string {
  const { name, legacyVersion, cipher, cipherCount, serverName, alpn } = message;
  if (legacyVersion === undefined) return name;
  const offered = (message.versions ?? [legacyVersion]).filter((version) => !grease(version));
  const parts = [`${name} ${offered.map(versionText).join('/')}`];
  if (serverName !== undefined) parts.push(`SNI ${serverName}`);
  if (alpn !== undefined) parts.push(`ALPN ${alpn.join(',')}`);
  if (message.encryptedHello === true) parts.push('ECH');
  if (cipher !== undefined) parts.push(ciphers.get(cipher) ?? `cipher ${hexNumber(cipher, 4)}`);
  if (verbose > 0 && cipherCount !== undefined) parts.push(`${cipherCount} ciphers`);
  if (verbose > 1 && message.extensions !== undefined)
    parts.push(`extensions ${message.extensions.join(',')}`);
  return parts.join(' ');
}
