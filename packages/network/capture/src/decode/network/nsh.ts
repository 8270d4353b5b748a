import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** Network service header (RFC 8300): which functions a packet is still to pass through. */
export type Nsh = {
  readonly protocol: 'nsh';
  readonly version: number;
  /** Operations, administration and maintenance: no user's packet. */
  readonly oam: boolean;
  readonly ttl: number;
  readonly headerBytes: number;
  /** 1: four words of context. 2: fields of variable length. */
  readonly metadataType: number;
  readonly next: number;
  readonly pathId: number;
  /** Functions that are left. */
  readonly index: number;
  /** Of metadata type 1, in hex digits. */
  readonly context?: string;
};

/** EtherTypes of what may follow, itself included. */
export const nshProtocols: ReadonlyMap<number, number> = new Map([
  [1, 0x0800],
  [2, 0x86dd],
  [3, 0x6558],
  [4, 0x894f],
  [5, 0x8847],
]);

const baseBytes = 8;
const contextBytes = 16;

/** Reads the network service header with metadata of type 1; what follows is found by its protocol. */
export function readNsh(bytes: Reader, packet: Dissection<Nsh>): void {
  if (!bytes.need(baseBytes)) return;
  const first = bytes.u16();
  const metadataType = bytes.u8() & 15;
  const next = bytes.u8();
  const pathId = bytes.u24();
  const index = bytes.u8();
  const headerBytes = (first & 0x3f) * 4;
  if (headerBytes < baseBytes) return bytes.damage(`a header of ${headerBytes} bytes`);
  const metadata = bytes.slice(headerBytes - baseBytes);
  const context =
    metadataType === 1 && metadata.left === contextBytes ? { context: metadata.hex(contextBytes) } : {};
  packet.push({
    protocol: 'nsh',
    version: first >> 14,
    oam: (first & 0x2000) !== 0,
    ttl: (first >> 6) & 0x3f,
    headerBytes,
    metadataType,
    next,
    pathId,
    index,
    ...context,
  });
  const etherType = nshProtocols.get(next);
  if (etherType === undefined) packet.next('none', 0, bytes);
  else packet.next('etherType', etherType, bytes);
}

/** `NSH, service-path-id 0x000001, service-index 255, ttl 63, md-type 1`. */
export function nshLine({ pathId, index, ttl, oam, metadataType }: Nsh): string {
  const kind = `${oam ? ', OAM' : ''}, md-type ${metadataType}`;
  return `NSH, service-path-id ${hexNumber(pathId, 6)}, service-index ${index}, ttl ${ttl}${kind}`;
}
