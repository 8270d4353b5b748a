/** Blocks of a pcapng file, little-endian (draft-ietf-opsawg-pcapng). */

const sectionHeader = 0x0a0d0d0a;
const interfaceDescription = 1;
const interfaceStatistics = 5;
const byteOrderMagic = 0x1a2b3c4d;

// Codes of options.
const comment = 1;
const userApplication = 4;
const interfaceName = 2;
const timeResolution = 9;
const filterOption = 11;
const startTime = 2;
const endTime = 3;
const received = 4;
const dropped = 5;
const delivered = 8;

/** 10^-9 s. */
const nanoseconds = 9;
/** Of a filter option's value: pcap-filter(7) text. */
const filterText = 0;

export type PcapngInterface = {
  readonly name: string;
  readonly linkType: number;
  readonly snapLength: number;
  /** pcap-filter(7) text. */
  readonly filter?: string | undefined;
};

type InterfaceCounts = { readonly seen: bigint; readonly received: bigint; readonly dropped: bigint };

export type PcapngStatistics = {
  /** Index of the interface in its section. */
  readonly interface: number;
  /** Nanoseconds since the epoch. */
  readonly started: bigint;
  readonly ended: bigint;
  /** Packets that the filter accepted, the dropped ones included. */
  readonly received: bigint;
  readonly dropped: bigint;
  /** Packets that are in the file. */
  readonly delivered?: bigint;
};

/** Section header and one description per interface: what a file begins with. */
export function pcapngHeader(
  interfaces: readonly PcapngInterface[],
  options: { readonly application?: string; readonly comment?: string } = {},
): Uint8Array {
  const body = Buffer.alloc(16);
  body.writeUInt32LE(byteOrderMagic, 0);
  body.writeUInt16LE(1, 4); // version 1.0
  body.writeBigInt64LE(-1n, 8); // the section's length is not known beforehand
  const section = block(sectionHeader, body, [
    ...text(userApplication, options.application),
    ...text(comment, options.comment),
  ]);
  return Buffer.concat([section, ...interfaces.map(describeInterface)]);
}

function describeInterface({ name, linkType, snapLength, filter }: PcapngInterface): Uint8Array {
  const body = Buffer.alloc(8);
  body.writeUInt16LE(linkType, 0);
  body.writeUInt32LE(snapLength, 4);
  return block(interfaceDescription, body, [
    ...text(interfaceName, name),
    option(timeResolution, Uint8Array.of(nanoseconds)),
    ...(filter === undefined
      ? []
      : [option(filterOption, Buffer.concat([Uint8Array.of(filterText), Buffer.from(filter)]))]),
  ]);
}

/** What was lost, per interface: what a file ends with. */
export function pcapngStatistics(statistics: PcapngStatistics): Uint8Array {
  const body = Buffer.alloc(12);
  body.writeUInt32LE(statistics.interface, 0);
  time(statistics.ended).copy(body, 4);
  return block(interfaceStatistics, body, [
    option(startTime, time(statistics.started)),
    option(endTime, time(statistics.ended)),
    option(received, count(statistics.received)),
    option(dropped, count(statistics.dropped)),
    ...(statistics.delivered === undefined ? [] : [option(delivered, count(statistics.delivered))]),
  ]);
}

/** Of every interface of a capture, in their order. */
export function statisticsBlocks(
  { interfaces }: { readonly interfaces: readonly InterfaceCounts[] },
  started: bigint,
  ended: bigint,
): Uint8Array {
  const blocks = interfaces.map(({ seen, received, dropped }, index) =>
    pcapngStatistics({ interface: index, started, ended, received: seen, dropped, delivered: received }),
  );
  return Buffer.concat(blocks);
}

/** As large as the blocks that will stand there. */
export function emptyStatistics(interfaces: number): Uint8Array {
  const none = { seen: 0n, received: 0n, dropped: 0n };
  return statisticsBlocks({ interfaces: Array.from({ length: interfaces }, () => none) }, 0n, 0n);
}

/** A time as pcapng has it: the upper half first. */
function time(nanoseconds: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(Number(nanoseconds >> 32n), 0);
  bytes.writeUInt32LE(Number(nanoseconds & 0xffff_ffffn), 4);
  return bytes;
}

function count(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function block(type: number, body: Uint8Array, options: readonly Uint8Array[]): Buffer {
  const end = options.length === 0 ? [] : [option(0, new Uint8Array())];
  const content = Buffer.concat([body, ...options, ...end]);
  const total = content.length + 12;
  const bytes = Buffer.alloc(total);
  bytes.writeUInt32LE(type, 0);
  bytes.writeUInt32LE(total, 4);
  content.copy(bytes, 8);
  bytes.writeUInt32LE(total, total - 4);
  return bytes;
}

/** Longest value that an option's length can say. */
const longestOption = 0xffff;

function option(code: number, value: Uint8Array): Buffer {
  const cut = value.subarray(0, longestOption);
  const bytes = Buffer.alloc(4 + Math.ceil(cut.length / 4) * 4);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt16LE(cut.length, 2);
  bytes.set(cut, 4);
  return bytes;
}

function text(code: number, value: string | undefined): readonly Uint8Array[] {
  return value === undefined ? [] : [option(code, Buffer.from(value))];
}
