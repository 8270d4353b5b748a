import type { ByteRange } from '../byte-range.ts';

/** What a range was read for. */
export type ReadPurpose =
  | 'edges' // the first and the last MiB, of which every byte counts
  | 'backups' // where second copies of superblocks, headers and tables would be
  | 'windows' // spread over everything between the edges; all of it on a small device
  | 'extents'; // what the map of the file behind a device says was ever written

export type ReadRanges = { readonly purpose: ReadPurpose; readonly ranges: readonly ByteRange[] };

/** What a proof of emptiness rests on. Offsets and sizes are bytes. */
export type EmptinessReceipt = {
  readonly device: string;
  readonly size: bigint;
  /** When it was begun, milliseconds since the Unix epoch. */
  readonly at: number;
  readonly tookMs: number;
  /** How long it might take; a device that needs longer is not proven. */
  readonly limitMs: number;
  /** What was read and is zero, unless `found` says otherwise. */
  readonly read: readonly ReadRanges[];
  /** Where libblkid looked for signatures of every kind that it knows, as if a device began there. */
  readonly probedAt: readonly bigint[];
  /** What has backups that were looked for, where the partitions of a former table may have begun. */
  readonly backupsOf: readonly string[];
  /** Whether all of what a map of the file behind it names was read; else why there is no map. */
  readonly map: 'read' | 'sampled' | { readonly unknown: string };
  /** Who uses it, one sentence each. */
  readonly users: readonly string[];
  /** What it holds, one sentence each. */
  readonly found: readonly string[];
  /** What could not be read or was not looked at in time, one sentence each. */
  readonly unproven: readonly string[];
  /** The time was over before all was read: asked again, the answer may be another. */
  readonly isLate: boolean;
};

/** Everything that speaks against it. */
export function reasonsIn({ users, found, unproven }: EmptinessReceipt): readonly string[] {
  return [...users, ...found, ...unproven];
}
