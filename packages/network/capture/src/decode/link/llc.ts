import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** IEEE 802.2 logical link control, with the extension SNAP where it is used. */
export type Llc = {
  readonly protocol: 'llc';
  /** Service access points. */
  readonly destination: number;
  readonly source: number;
  readonly control: number;
  readonly oui?: string;
  /** Protocol number of the organisation; with the OUI 000000 an EtherType. */
  readonly pid?: number;
  readonly length: number;
};

const unnumbered = 3;
const snap = 0xaa;

/** Reads logical link control (IEEE 802.2), with the extension of SNAP. */
export function readLlc(bytes: Reader, packet: Dissection<Llc>): void {
  if (!bytes.need(3)) return;
  const length = bytes.wireLeft;
  const destination = bytes.u8();
  const source = bytes.u8();
  const first = bytes.u8();
  // Information and supervisory frames have two bytes of control.
  const control = (first & unnumbered) === unnumbered ? first : (first << 8) | bytes.u8();
  if (destination === snap && source === snap && control === unnumbered) {
    if (!bytes.need(5)) return;
    const oui = bytes.hex(3);
    const pid = bytes.u16();
    packet.push({ protocol: 'llc', destination, source, control, oui, pid, length });
    const table = oui === '000000' || oui === '0000f8' ? 'etherType' : 'snap';
    packet.next(table, table === 'snap' ? Number.parseInt(oui, 16) * 0x10000 + pid : pid, bytes);
    return;
  }
  packet.push({ protocol: 'llc', destination, source, control, length });
  packet.next('llc', (destination << 8) | source, bytes);
}

const accessPoints: ReadonlyMap<number, string> = new Map([
  [0x42, 'STP'],
  [0xaa, 'SNAP'],
  [0xe0, 'IPX'],
  [0xf0, 'NetBIOS'],
  [0xfe, 'OSI'],
]);

/** `LLC, dsap …, ssap …, ctrl 0x03, length 38`, or `SNAP, …` where that extends it. */
export function llcLine({ destination, source, control, oui, pid, length }: Llc): string {
  if (oui !== undefined) return `SNAP, oui ${oui}, pid ${hexNumber(pid ?? 0, 4)}, length ${length}`;
  return `LLC, dsap ${pointText(destination)}, ssap ${pointText(source)}, ctrl ${hexNumber(control, 2)}, length ${length}`;
}

function pointText(point: number): string {
  return accessPoints.get(point) ?? hexNumber(point, 2);
}
