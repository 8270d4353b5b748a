/** An interface that a file describes; a pcap file has one without a name. */
export type FileInterface = {
  readonly linkType: number;
  /** Bytes; 0 where the file sets no limit. */
  readonly snapLength: number;
  readonly name: string;
  /** pcap-filter(7) text, or '' */
  readonly filter: string;
  readonly description: string;
};

/** A packet of a file. Its bytes are borrowed from the piece of the file they came in. */
export type FilePacket = {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  readonly originalBytes: number;
  /** Index in the reader's `interfaces`. */
  readonly interface: number;
  readonly data: Uint8Array;
  /** What somebody said about it: the first comment, in pcapng only. */
  readonly comment?: string;
};

/** What the file says was lost, from pcapng's statistics blocks; undefined where it does not say. */
export type FileStatistics = {
  readonly interface: number;
  readonly received: bigint | undefined;
  readonly dropped: bigint | undefined;
};

/** Link types whose packets are longer than those of networks: D-Bus, EBHSCR, USBPcap (libpcap's max_snaplen_for_dlt). */
const largestByLinkType: ReadonlyMap<number, number> = new Map([
  [231, 128 << 20],
  [279, 8 << 20],
  [249, 1 << 20],
]);

/** No packet of a link type is longer, whatever a file says (libpcap's MAXIMUM_SNAPLEN for most). */
export function largestPacket(linkType: number): number {
  return largestByLinkType.get(linkType) ?? 262_144;
}

/** No block of a pcapng file is longer than that, or than a packet with as much for its options. */
export const largestBlock: number = 16 << 20;
