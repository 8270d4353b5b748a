/** What the records of a batch are: of a pcap file, or enhanced packet blocks of a pcapng file. */
export type BatchFormat = 'pcap' | 'pcapng';

/** Where a record has what, in bytes from its beginning. */
export type RecordLayout = {
  readonly captured: number;
  readonly original: number;
  readonly data: number;
  /** Bytes of the record with so many of a packet. */
  readonly sizeOf: (captured: number) => number;
  /** Nanoseconds since the epoch. */
  readonly time: (view: DataView, at: number) => bigint;
};

/** draft-ietf-opsawg-pcap, 5; draft-ietf-opsawg-pcapng, 4.3. Little-endian, nanoseconds. */
export const recordLayouts: Readonly<Record<BatchFormat, RecordLayout>> = {
  pcap: {
    captured: 8,
    original: 12,
    data: 16,
    sizeOf: (captured) => 16 + captured,
    time: (view, at) =>
      BigInt(view.getUint32(at, true)) * 1_000_000_000n + BigInt(view.getUint32(at + 4, true)),
  },
  pcapng: {
    captured: 20,
    original: 24,
    data: 28,
    sizeOf: (captured) => 32 + ((captured + 3) & ~3),
    time: (view, at) =>
      (BigInt(view.getUint32(at + 12, true)) << 32n) | BigInt(view.getUint32(at + 16, true)),
  },
};
