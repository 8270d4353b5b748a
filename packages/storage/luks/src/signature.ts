import { readAt } from './device.ts';

/** What the magic numbers of the on-disk format say, without the library. */
export type Signature = 'none' | 'luks1' | 'luks2' | 'luks2-secondary';

const primary = Buffer.from('LUKS\xba\xbe', 'latin1');
const secondary = Buffer.from('SKUL\xba\xbe', 'latin1');

// LUKS2 specification 2.1: where the second copy of the header may begin, by size of the JSON area.
const secondaryOffsets = [0x4000, 0x8000, 0x10000, 0x20000, 0x40000, 0x80000, 0x100000, 0x200000, 0x400000];

/** Looks for a LUKS header of any version, and for the second copy of a LUKS2 header whose first one is gone. */
export async function readSignature(device: string): Promise<Signature> {
  const start = await readAt(device, 0, primary.length + 2);
  if (start.subarray(0, primary.length).equals(primary) && start.length === primary.length + 2) {
    return start.readUInt16BE(primary.length) === 1 ? 'luks1' : 'luks2';
  }
  for (const offset of secondaryOffsets) {
    const bytes = await readAt(device, offset, secondary.length);
    if (bytes.equals(secondary)) return 'luks2-secondary';
  }
  return 'none';
}
