/**
 * The header of a pcap file: little-endian, nanoseconds, version 2.4 (draft-ietf-opsawg-pcap, section 4).
 *
 * @param snapLength bytes; no record's data is longer.
 */
export function pcapHeader(linkType: number, snapLength: number): Uint8Array {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b23c4d, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(snapLength, 16);
  header.writeUInt32LE(linkType, 20);
  return header;
}
