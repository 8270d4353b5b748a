import { ownerComment, pcapngPackets } from '@nodecore/capture/formats';

import type { Owners } from './owners.ts';
import { endsOf } from './packet-ends.ts';

const recordBytes = 16;

/** Whole pcap records as blocks of pcapng, with whose packet it is as the comment of each. */
export async function ownedRecords(
  records: Uint8Array,
  { index, linkType }: { readonly index: number; readonly linkType: number },
  owners: Owners,
): Promise<Uint8Array> {
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const packets: ReturnType<typeof endsOf>[] = [];
  for (let at = 0; at < records.length;) {
    const end = at + recordBytes + view.getUint32(at + 8, true);
    const data = records.subarray(at + recordBytes, end);
    packets.push(endsOf({ time: 0n, originalBytes: view.getUint32(at + 12, true), data, linkType }));
    at = end;
  }
  await owners.find(packets.filter((ends) => ends !== undefined));
  const comments = packets.map((ends) => {
    const owner = ends === undefined ? undefined : owners.of(ends);
    return owner === undefined ? undefined : ownerComment(owner);
  });
  return pcapngPackets(records, index, comments);
}
