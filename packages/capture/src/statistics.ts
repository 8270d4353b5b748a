import type { PacketProgress } from '@nodecore/native';

/** Packets of one interface that its filter accepted. `received + dropped + waiting = seen`. */
export type InterfaceStatistics = {
  readonly name: string;
  readonly seen: bigint;
  /** Went to the reader or the file. */
  readonly received: bigint;
  /** Found no room in the ring: the reader or the disk was too slow. */
  readonly dropped: bigint;
  /** Still in the ring; at the end, what a limit left behind. */
  readonly waiting: bigint;
};

export type CaptureStatistics = Omit<InterfaceStatistics, 'name'> & {
  readonly interfaces: readonly InterfaceStatistics[];
};

export function toStatistics(names: readonly string[], progress: PacketProgress): CaptureStatistics {
  const interfaces = progress.rings.map(({ packets, drops, taken }, index) => ({
    name: names[index] ?? '',
    seen: packets,
    received: taken,
    dropped: drops,
    waiting: packets - drops - taken,
  }));
  const sum = (of: (one: InterfaceStatistics) => bigint): bigint =>
    interfaces.reduce((total, one) => total + of(one), 0n);
  return {
    seen: sum((one) => one.seen),
    received: sum((one) => one.received),
    dropped: sum((one) => one.dropped),
    waiting: sum((one) => one.waiting),
    interfaces,
  };
}
