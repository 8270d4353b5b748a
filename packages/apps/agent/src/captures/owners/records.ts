import { ownerComment, type PacketOwner, pcapngPackets } from '@nodecore/capture/formats';

import type { Owners } from './owners.ts';
import type { Ends } from './socket-table.ts';

const recordBytes = 16;

/** Whole pcap records as blocks of pcapng, with whose packet it is as the comment of each. */
export async function ownedRecords(
  records: Uint8Array,
  { index, linkType }: { readonly index: number; readonly linkType: number },
  owners: Owners,
): Promise<Uint8Array> {
  const bytes = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  const packets: (Ends | undefined)[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + recordBytes + bytes.readUInt32LE(at + 8);
    const originalBytes = bytes.readUInt32LE(at + 12);
    packets.push(owners.ends.of(bytes, { at: at + recordBytes, end, originalBytes, linkType }));
    at = end;
  }
  await owners.find(packets.filter((ends) => ends !== undefined));
  const said = packets.map((ends) => {
    const owner = ends === undefined ? undefined : owners.of(ends);
    return owner === undefined ? undefined : commentOf(owner);
  });
  return pcapngPackets(records, index, said);
}

const comments = new WeakMap<PacketOwner, string>();

function commentOf(owner: PacketOwner): string {
  const known = comments.get(owner);
  if (known !== undefined) return known;
  const comment = ownerComment(owner);
  comments.set(owner, comment);
  return comment;
}
