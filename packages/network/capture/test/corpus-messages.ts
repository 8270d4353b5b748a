import { cat, hex, text, u16, u24, u32, u8, zeros } from './packet-bytes.ts';

/** Messages of the corpus that have parts of their own. */

export const dnsName = (value: string): Buffer =>
  cat(...value.split('.').map((label) => cat(u8(label.length), text(label))), u8(0));

export const dnsRecord = (owner: Uint8Array, type: number, data: Uint8Array, recordClass = 1): Buffer =>
  cat(owner, u16(type, recordClass), u32(300), u16(data.length), data);

const extension = (type: number, value: Uint8Array): Buffer => cat(u16(type, value.length), value);
const sized = (value: Uint8Array): Buffer => cat(u16(value.length), value);

/** A client's hello for example.com with h2, or a server's of version 1.3. */
export function hello(side: 'client' | 'server', serverName = 'example.com'): Buffer {
  const client = side === 'client';
  const names = sized(cat(u8(0), sized(text(serverName))));
  const protocols = sized(cat(u8(2), text('h2'), u8(8), text('http/1.1')));
  const extensions = client
    ? [extension(0, names), extension(16, protocols), extension(43, cat(u8(4), u16(0x0304, 0x0303)))]
    : [extension(43, u16(0x0304))];
  const session = cat(u8(32), zeros(32));
  const ciphers = client ? cat(u16(4, 0x1301, 0x1302), hex('0100')) : cat(u16(0x1301), u8(0));
  const body = cat(u16(0x0303), zeros(32), session, ciphers, sized(cat(...extensions)));
  return cat(u8(client ? 1 : 2), u24(body.length), body);
}
