import { open } from 'node:fs/promises';

/** What a program or a library asks of the dynamic linker. */
export type Elf = {
  /** Libraries by soname, in its order. */
  readonly needed: readonly string[];
  /** The dynamic linker; undefined for a library or a static program. */
  readonly interpreter: string | undefined;
};

const headerBytes = 64;
const segmentBytes = 56;
const loadSegment = 1;
const dynamicSegment = 2;
const interpreterSegment = 3;
const neededTag = 1n;
const stringTableTag = 5n;

type Segment = {
  readonly type: number;
  readonly offset: number;
  readonly address: bigint;
  readonly size: number;
};

/** Reads the dynamic section of a 64-bit little-endian ELF file. @returns undefined when the file is none. */
export async function readElf(path: string): Promise<Elf | undefined> {
  await using file = await open(path);
  const read = async (position: number, length: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  const header = await read(0, headerBytes);
  if (header.length < headerBytes || header.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') return undefined;
  const table = await read(Number(header.readBigUInt64LE(32)), header.readUInt16LE(56) * segmentBytes);
  const segments = segmentsOf(table);
  const interpreter = segments.find(({ type }) => type === interpreterSegment);
  const dynamic = segments.find(({ type }) => type === dynamicSegment);
  return {
    needed: dynamic === undefined ? [] : await neededOf(read, segments, dynamic),
    interpreter: interpreter && text(await read(interpreter.offset, interpreter.size), 0),
  };
}

function segmentsOf(table: Buffer): Segment[] {
  return Array.from({ length: Math.floor(table.length / segmentBytes) }, (_, index) => {
    const at = table.subarray(index * segmentBytes);
    return {
      type: at.readUInt32LE(0),
      offset: Number(at.readBigUInt64LE(8)),
      address: at.readBigUInt64LE(16),
      size: Number(at.readBigUInt64LE(32)),
    };
  });
}

async function neededOf(
  read: (position: number, length: number) => Promise<Buffer>,
  segments: readonly Segment[],
  dynamic: Segment,
): Promise<string[]> {
  const entries = await read(dynamic.offset, dynamic.size);
  const names: number[] = [];
  let strings = 0;
  for (let at = 0; at + 16 <= entries.length; at += 16) {
    const [tag, value] = [entries.readBigUInt64LE(at), entries.readBigUInt64LE(at + 8)];
    if (tag === neededTag) names.push(Number(value));
    if (tag === stringTableTag) strings = placeOf(segments, value);
  }
  const longestName = 256;
  return await Promise.all(names.map(async (name) => text(await read(strings + name, longestName), 0)));
}

/** Where in the file an address is loaded from. */
function placeOf(segments: readonly Segment[], address: bigint): number {
  const holder = segments.find(
    (each) =>
      each.type === loadSegment && address >= each.address && address < each.address + BigInt(each.size),
  );
  return holder === undefined ? 0 : holder.offset + Number(address - holder.address);
}

function text(bytes: Buffer, start: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString('utf8', start, end < 0 ? bytes.length : end);
}
