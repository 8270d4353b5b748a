/** Logs of events as firmware writes them, for what no machine at hand measures. */
import { createHash } from 'node:crypto';

export type Written = { readonly pcr: number; readonly type: number; readonly data: Uint8Array };

/** TCG_PCR_EVENT2 with SHA-1 and SHA-256, behind the header that says so. */
export function agileLog(...events: readonly Written[]): Uint8Array {
  const header = Buffer.concat([
    Buffer.from('Spec ID Event03\0', 'latin1'),
    u32(0),
    Buffer.from([0, 2, 0, 2]),
    u32(2),
    Buffer.from([0x04, 0, 20, 0, 0x0b, 0, 32, 0]),
    Buffer.from([0]),
  ]);
  return Buffer.concat([
    sha1Record({ pcr: 0, type: 3, data: header }, Buffer.alloc(20)),
    ...events.map(({ pcr, type, data }) =>
      Buffer.concat([
        u32(pcr),
        u32(type),
        u32(2),
        Buffer.from([0x04, 0]),
        createHash('sha1').update(data).digest(),
        Buffer.from([0x0b, 0]),
        createHash('sha256').update(data).digest(),
        u32(data.length),
        data,
      ]),
    ),
  ]);
}

/** TCG_PCR_EVENT: the first format. */
export function sha1Log(...events: readonly Written[]): Uint8Array {
  return Buffer.concat(
    events.map((event) => sha1Record(event, createHash('sha1').update(event.data).digest())),
  );
}

function sha1Record({ pcr, type, data }: Written, digest: Uint8Array): Uint8Array {
  return Buffer.concat([u32(pcr), u32(type), digest, u32(data.length), data]);
}

/** UEFI_VARIABLE_DATA */
export function variable(name: string, value: Uint8Array): Uint8Array {
  const text = Buffer.from(name, 'utf16le');
  return Buffer.concat([Buffer.alloc(16, 0xaa), u64(name.length), u64(value.length), text, value]);
}

/** UEFI_IMAGE_LOAD_EVENT of a file on a disk. */
export function image(path: string): Uint8Array {
  const text = Buffer.from(`${path}\0`, 'utf16le');
  const disk = Buffer.from([4, 1, 42, 0, ...new Uint8Array(38)]);
  const file = Buffer.concat([Buffer.from([4, 4]), u16(text.length + 4), text]);
  const devicePath = Buffer.concat([disk, file, Buffer.from([0x7f, 0xff, 4, 0])]);
  return Buffer.concat([u64(0), u64(0), u64(0), u64(devicePath.length), devicePath]);
}

export const separator: Uint8Array = Buffer.alloc(4);

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
