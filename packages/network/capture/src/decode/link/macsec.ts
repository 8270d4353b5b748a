import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';

/** The security tag of MACsec (IEEE 802.1AE, clause 9). */
export type Macsec = {
  readonly protocol: 'macsec';
  /** What follows can't be read; otherwise it is only protected against changes. */
  readonly encrypted: boolean;
  /** Which of the channel's four keys. */
  readonly association: number;
  /** Bytes of secured data where there are fewer than 48. */
  readonly shortLength?: number;
  readonly packetNumber: number;
  /** Address and port of the sender, in hex digits, where it is told. */
  readonly channel?: string;
  readonly length: number;
};

const channelTold = 0x20;
const encryption = 0x08;
const changedText = 0x04;
/** Check value of GCM-AES, which is what everybody uses. */
const checkBytes = 16;
const etherTypeBytes = 2;

/** Reads the security tag of MACsec; what follows is read where it is not encrypted. */
export function readMacsec(bytes: Reader, packet: Dissection<Macsec>): void {
  const length = bytes.wireLeft;
  if (!bytes.need(6)) return;
  const control = bytes.u8();
  const shortLength = bytes.u8() & 0x3f;
  const packetNumber = bytes.u32();
  const channel = (control & channelTold) === 0 ? {} : { channel: bytes.hex(8) };
  if (bytes.short) return;
  const encrypted = (control & (encryption | changedText)) !== 0;
  packet.push({
    protocol: 'macsec',
    encrypted,
    association: control & 3,
    ...(shortLength === 0 ? {} : { shortLength }),
    packetNumber,
    ...channel,
    length,
  });
  const secured = shortLength === 0 ? bytes.wireLeft - checkBytes : shortLength;
  if (encrypted || secured < etherTypeBytes) return packet.next('none', 0, bytes);
  const data = bytes.part(secured);
  if (data.need(etherTypeBytes)) packet.next('etherType', data.u16(), data);
}

/** `MACsec, an 0, pn 1, encrypted, length 60`. */
export function macsecLine({ encrypted, association, packetNumber, channel, length }: Macsec): string {
  const sender = channel === undefined ? '' : `, sci ${channel}`;
  return `MACsec, an ${association}, pn ${packetNumber}${sender}, ${encrypted ? 'encrypted' : 'in clear'}, length ${length}`;
}
