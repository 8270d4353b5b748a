import { pcapHeader } from '../src/formats/index.ts';
import type { Sample } from './corpus.ts';

const snapLength = 65_535;

/** A pcap file of samples that have one link type, one second apart. */
export function pcapFile(samples: readonly Sample[], linkType: number): Buffer {
  const records = samples.map(({ data }, index) => {
    const header = Buffer.alloc(16);
    header.writeUInt32LE(1_800_000_000 + index, 0);
    header.writeUInt32LE(data.length, 8);
    header.writeUInt32LE(data.length, 12);
    return Buffer.concat([header, data]);
  });
  return Buffer.concat([pcapHeader(linkType, snapLength), ...records]);
}
