import { guidBytes, guidText } from '../guid.ts';

/** A partition of a GPT, and a file on it: where firmware finds a boot loader whatever port the disk is at. */
export type BootFile = {
  readonly partition: {
    /** From 1. */
    readonly index: number;
    readonly partitionGuid: string;
    readonly startSector: bigint;
    readonly sectors: bigint;
  };
  /** From the root of the partition, with `\`. */
  readonly path: string;
};

/** Types and subtypes of nodes (UEFI 2.10, 10.3). */
const media = 4;
const hardDrive = { subtype: 1, bytes: 42, gpt: 2, guidSignature: 2 } as const;
const filePath = 4;
const end = { type: 0x7f, subtype: 0xff } as const;
const headerBytes = 4;

/** The short form of a device path, `HD(…)/\EFI\…`: the firmware looks for the partition on all disks. */
export function encodeDevicePath({ partition, path }: BootFile): Buffer {
  const drive = Buffer.alloc(hardDrive.bytes - headerBytes);
  drive.writeUInt32LE(partition.index, 0);
  drive.writeBigUInt64LE(partition.startSector, 4);
  drive.writeBigUInt64LE(partition.sectors, 12);
  drive.set(guidBytes(partition.partitionGuid), 20);
  drive[36] = hardDrive.gpt;
  drive[37] = hardDrive.guidSignature;
  return Buffer.concat([
    node(media, hardDrive.subtype, drive),
    node(media, filePath, Buffer.from(`${path}\0`, 'utf16le')),
    node(end.type, end.subtype, Buffer.alloc(0)),
  ]);
}

/** Undefined for a path that ends in anything but a file on a partition of a GPT. */
export function parseDevicePath(bytes: Buffer): BootFile | undefined {
  let partition: BootFile['partition'] | undefined;
  let path: string | undefined;
  for (let at = 0; at + headerBytes <= bytes.length;) {
    const [type, subtype] = [bytes[at], bytes[at + 1]];
    if (type === end.type) break;
    const size = bytes.readUInt16LE(at + 2);
    if (size < headerBytes || at + size > bytes.length) return undefined;
    const content = bytes.subarray(at + headerBytes, at + size);
    if (type === media && subtype === hardDrive.subtype) partition = partitionOf(content);
    if (type === media && subtype === filePath) path = content.toString('utf16le').replace(/\0.*$/su, '');
    at += size;
  }
  return partition === undefined || path === undefined ? undefined : { partition, path };
}

function partitionOf(content: Buffer): BootFile['partition'] | undefined {
  if (content.length !== hardDrive.bytes - headerBytes || content[37] !== hardDrive.guidSignature)
    return undefined;
  return {
    index: content.readUInt32LE(0),
    startSector: content.readBigUInt64LE(4),
    sectors: content.readBigUInt64LE(12),
    partitionGuid: guidText(content, 20),
  };
}

function node(type: number, subtype: number, content: Buffer): Buffer {
  const header = Buffer.from([type, subtype, 0, 0]);
  header.writeUInt16LE(headerBytes + content.length, 2);
  return Buffer.concat([header, content]);
}
