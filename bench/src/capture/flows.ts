/** What the benches do with every packet: find its 5-tuple, and mix it into a sum that nobody can leave out. */

/** Of all packets: who looks at it proves that each one was looked at. */
export let mixed = 0;

const ethernetBytes = 14;
const recordBytes = 16;

/** Packets of pcap records. @returns how many had ports. */
export function flowsOfRecords(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let flows = 0;
  for (let at = 0; at < bytes.byteLength;) {
    const size = view.getUint32(at + 8, true);
    flows += flow(view, at + recordBytes, size);
    at += recordBytes + size;
  }
  return flows;
}

/** Packets of a `tpacket_block_desc`. @returns how many had ports. */
export function flowsOfBlock(buffer: ArrayBuffer, packets: number): number {
  const view = new DataView(buffer);
  let at = view.getUint32(16, true);
  let flows = 0;
  for (let left = packets; left > 0; left -= 1) {
    flows += flow(view, at + view.getUint16(at + 24, true), view.getUint32(at + 12, true));
    at += view.getUint32(at, true);
  }
  return flows;
}

/** @returns 1 when it had ports. */
export function flow(view: DataView, at: number, size: number): number {
  if (size < ethernetBytes + 20 + 4 || view.getUint16(at + 12) !== 0x0800) return 0;
  const ip = at + ethernetBytes;
  const ports = ip + (view.getUint8(ip) & 0x0f) * 4;
  mixed =
    (Math.imul(mixed, 31) ^
      view.getUint8(ip + 9) ^
      view.getUint32(ip + 12) ^
      view.getUint32(ip + 16) ^
      view.getUint32(ports)) |
    0;
  return 1;
}
