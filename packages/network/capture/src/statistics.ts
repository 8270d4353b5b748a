import type { PacketProgress } from '@nodecore/native';

import type { CaptureError } from './errors.ts';
import { goneFailure } from './failure.ts';

/** Packets of one interface that its filter accepted. `received + dropped + waiting = seen`. */
export type InterfaceStatistics = {
  readonly name: string;
  readonly seen: bigint;
  /** Went to the reader, or is whole in a file. */
  readonly received: bigint;
  /** Found no room in the ring, as the reader or the disk was too slow, or none on a full disk. */
  readonly dropped: bigint;
  /** Not there yet; at the end, what a limit left behind. */
  readonly waiting: bigint;
  /** Why nothing more comes: `ERR_CAPTURE_INTERFACE_DOWN`. The others go on. */
  readonly gone?: CaptureError;
};

export type CaptureStatistics = Omit<InterfaceStatistics, 'name' | 'gone'> & {
  readonly interfaces: readonly InterfaceStatistics[];
};

export function toStatistics(names: readonly string[], progress: PacketProgress): CaptureStatistics {
  const interfaces = progress.rings.map(({ packets, drops, taken, lost, gone }, index) => {
    const name = names[index] ?? '';
    const counts = { name, seen: packets, received: taken, dropped: drops + lost };
    const waiting = packets - drops - lost - taken;
    return { ...counts, waiting, ...(gone !== undefined && { gone: goneFailure(gone, name) }) };
  });
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
