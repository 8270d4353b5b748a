import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexNumber, hexText, safeText } from '../text.ts';

/** PPP over Ethernet (RFC 2516), discovery and session. */
export type Pppoe = {
  readonly protocol: 'pppoe';
  /** 0 in a session. */
  readonly code: number;
  readonly sessionId: number;
  readonly length: number;
  readonly tags?: readonly { readonly type: number; readonly name: string; readonly value: string }[];
};

/** The two bytes of PPP that say what is carried (RFC 1661). */
export type Ppp = {
  readonly protocol: 'ppp';
  readonly protocolNumber: number;
  readonly name?: string;
  readonly length: number;
};

const codes: ReadonlyMap<number, string> = new Map([
  [0, 'ses'],
  [0x07, 'PADO'],
  [0x09, 'PADI'],
  [0x19, 'PADR'],
  [0x65, 'PADS'],
  [0xa7, 'PADT'],
]);

const tagNames: ReadonlyMap<number, string> = new Map([
  [0x0101, 'Service-Name'],
  [0x0102, 'AC-Name'],
  [0x0103, 'Host-Uniq'],
  [0x0104, 'AC-Cookie'],
  [0x0105, 'Vendor-Specific'],
  [0x0110, 'Relay-Session-Id'],
  [0x0201, 'Service-Name-Error'],
  [0x0202, 'AC-System-Error'],
  [0x0203, 'Generic-Error'],
]);
const maxTags = 32;
const textTags: ReadonlySet<number> = new Set([0x0101, 0x0102, 0x0201, 0x0202, 0x0203]);

const pppNames: ReadonlyMap<number, string> = new Map([
  [0x0021, 'IP'],
  [0x0057, 'IP6'],
  [0x8021, 'IPCP'],
  [0x8057, 'IP6CP'],
  [0xc021, 'LCP'],
  [0xc023, 'PAP'],
  [0xc223, 'CHAP'],
]);

/** Reads the header of a session, or the tags of discovery (RFC 2516). */
export function readPppoe(bytes: Reader, packet: Dissection<Ppp | Pppoe>): void {
  if (!bytes.need(6)) return;
  const version = bytes.u8();
  if (version !== 0x11) return bytes.damage(`version and type ${hexNumber(version, 2)}`);
  const code = bytes.u8();
  const sessionId = bytes.u16();
  const length = bytes.u16();
  const payload = bytes.part(length);
  if (code === 0) {
    packet.push({ protocol: 'pppoe', code, sessionId, length });
    packet.next('ppp', -1, payload);
  } else packet.push({ protocol: 'pppoe', code, sessionId, length, tags: readTags(payload) });
}

function readTags(bytes: Reader): NonNullable<Pppoe['tags']> {
  const tags: { type: number; name: string; value: string }[] = [];
  while (bytes.wireLeft > 0 && tags.length < maxTags && bytes.need(4)) {
    const type = bytes.u16();
    const size = bytes.u16();
    const value = bytes.take(size);
    if (type === 0 || bytes.short) break;
    const name = tagNames.get(type) ?? hexNumber(type, 4);
    tags.push({ type, name, value: textTags.has(type) ? safeText(value) : hexText(value) });
  }
  return tags;
}

/** Reads the protocol number of PPP, by which the next is found. */
export function readPpp(bytes: Reader, packet: Dissection<Ppp | Pppoe>): void {
  const length = bytes.wireLeft;
  if (!bytes.need(2)) return;
  const protocolNumber = bytes.u16();
  const name = pppNames.get(protocolNumber);
  const named = name === undefined ? {} : { name };
  packet.push({ protocol: 'ppp', protocolNumber, ...named, length });
  packet.next('ppp', protocolNumber, bytes);
}

/** `PPPoE PADI`, with the session and the tags that it has. */
export function pppoeLine({ code, sessionId, tags = [] }: Pppoe): string {
  const shown = tags.map(({ name, value }) => ` [${name}${value === '' ? '' : ` "${value}"`}]`);
  const session = sessionId === 0 ? '' : ` ${hexNumber(sessionId)}`;
  return `PPPoE ${codes.get(code) ?? hexNumber(code, 2)}${session}${shown.join('')}`;
}

/** `PPP LCP, length 10`. */
export function pppLine({ protocolNumber, name, length }: Ppp): string {
  return `PPP ${name ?? hexNumber(protocolNumber, 4)}, length ${length}`;
}
