import type { Reader } from '../reader.ts';
import { safeText } from '../text.ts';

/** What a client offers, or a server chose. */
export type TlsHello = {
  /** Of the message; since version 1.3 always 0x0303. */
  readonly legacyVersion: number;
  /** Of the client: how many cipher suites. */
  readonly cipherCount: number;
  /** Of the server. */
  readonly cipher: number;
  readonly extensions: readonly number[];
  /** The name that the client asks for (SNI). */
  readonly serverName: string;
  /** Protocols above (ALPN): offered, or the chosen one. */
  readonly alpn: readonly string[];
  /** Versions that the client offers; the one that the server chose. */
  readonly versions: readonly number[];
  /** Encrypted client hello: the name above is not the one that is meant. */
  readonly encryptedHello: true;
};

type Found = { -readonly [Field in keyof TlsHello]?: TlsHello[Field] };

const serverName = 0;
const alpn = 16;
const supportedVersions = 43;
const encryptedClientHello = 0xfe0d;
const maxExtensions = 64;
const maxNames = 16;

/** Reads as far as the message goes: a long one ends in another segment. */
export function readHello(client: boolean, message: Reader): Found {
  const found: Found = {};
  if (message.left < 35) return found;
  found.legacyVersion = message.u16();
  message.skip(32); // random
  message.slice(message.u8()); // session
  if (message.left < 2) return found;
  if (client) {
    const bytes = message.u16();
    found.cipherCount = bytes >> 1;
    message.slice(bytes);
    message.slice(message.left > 0 ? message.u8() : 0); // compression
  } else {
    found.cipher = message.u16();
    message.slice(Math.min(1, message.left)); // compression
  }
  if (message.left < 2) return found;
  const list = message.slice(message.u16());
  const extensions: number[] = [];
  while (list.left >= 4 && extensions.length < maxExtensions) {
    const type = list.u16();
    extensions.push(type);
    readExtension(type, client, list.slice(list.u16()), found);
  }
  found.extensions = extensions;
  return found;
}

function readExtension(type: number, client: boolean, value: Reader, found: Found): void {
  if (type === serverName && value.left >= 5) {
    value.skip(3); // lengths, and the only type of name there is
    const size = value.u16();
    if (value.left > 0) found.serverName = safeText(value.take(Math.min(size, value.left)));
  } else if (type === alpn && value.left >= 2) {
    const names: string[] = [];
    value.skip(2);
    while (value.left > 0 && names.length < maxNames) {
      const size = value.u8();
      names.push(safeText(value.take(Math.min(size, value.left))));
    }
    found.alpn = names;
  } else if (type === supportedVersions) {
    const versions: number[] = [];
    if (client && value.left > 0) value.skip(1);
    while (value.left >= 2 && versions.length < maxNames) versions.push(value.u16());
    found.versions = versions;
  } else if (type === encryptedClientHello && client) found.encryptedHello = true;
}
