import { CutShort, LittleEndian } from './little-endian.ts';
import { utf16 } from './text.ts';

/** Nodes of a UEFI device path (UEFI Specification 2.10, 10.3): type and subtype. */
const file = 0x0404;
const firmwareFile = 0x0406;
const end = 0x7f;

/**
 * What a UEFI device path leads to, in short: a file's path, the GUID of a file in the firmware, or nothing when it ends in
 * neither. A path that is damaged is read as far as it goes.
 */
export function deviceName(path: Uint8Array): string {
  const reader = new LittleEndian(path);
  let name = '';
  try {
    while (reader.left >= 4) {
      const type = reader.u8();
      const kind = (type << 8) | reader.u8();
      const size = reader.u16();
      if (size < 4 || type === end) break;
      const data = reader.bytes(size - 4);
      if (kind === file) name += utf16(data);
      else if (kind === firmwareFile && data.length === 16) name = guid(data);
    }
  } catch (error) {
    if (!(error instanceof CutShort)) throw error;
  }
  return name;
}

/** The first three fields of a GUID are little-endian. */
function guid(bytes: Uint8Array): string {
  const hex = (from: number, to: number, reversed: boolean): string => {
    const part = [...bytes.subarray(from, to)];
    return Buffer.from(reversed ? part.toReversed() : part).toString('hex');
  };
  return [hex(0, 4, true), hex(4, 6, true), hex(6, 8, true), hex(8, 10, false), hex(10, 16, false)].join('-');
}
