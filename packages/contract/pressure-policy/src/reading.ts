import type { Pressure } from './pressure.ts';
import type { CgroupClass } from './classes.ts';

/** What is known of a cgroup at one moment. Undefined is what the kernel doesn't account, never zero. */
export type CgroupReading = {
  /** Given by the reader: another cgroup by the same path has another one. */
  readonly id: number;
  /** Below the root. */
  readonly path: string;
  /** CLOCK_MONOTONIC in ns. */
  readonly takenNs: bigint;
  /** Whether there are processes in it or below. */
  readonly populated: boolean;
  readonly frozen: boolean;
  /** Bytes. */
  readonly memoryCurrent: number | undefined;
  readonly memoryPeak: number | undefined;
  /** Infinity is no limit. */
  readonly memoryMax: number | undefined;
  readonly memorySwapCurrent: number | undefined;
  readonly pressure: Pressure;
};

/** The machine, the cgroups that can be chosen, and the classes, at one moment. */
export type Observation = {
  /** CLOCK_MONOTONIC in ns, right after the machine's pressure was read. */
  readonly takenNs: bigint;
  readonly machine: Pressure;
  /** Those that a rule gives a class. */
  readonly cgroups: readonly (CgroupReading & { readonly class: CgroupClass })[];
  /** Those that make up a class, whole. */
  readonly wholes: readonly (CgroupReading & { readonly class: CgroupClass })[];
};

/** A cgroup that may be chosen, with how fast its memory grew since the observation before. */
export type Candidate = CgroupReading & {
  readonly class: CgroupClass;
  /** Bytes per second of time that passed, negative when it shrank; undefined without an earlier reading of this very cgroup. */
  readonly memoryGrowth: number | undefined;
};

/** The cgroups of an observation as candidates. Time is what passed between the two readings, not what was planned. */
export function candidatesOf(now: Observation, before: Observation | undefined): readonly Candidate[] {
  const earlier = new Map(before?.cgroups.map((each) => [each.id, each]));
  return now.cgroups.map((each) => ({ ...each, memoryGrowth: growth(earlier.get(each.id), each) }));
}

function growth(before: CgroupReading | undefined, now: CgroupReading): number | undefined {
  if (before?.memoryCurrent === undefined || now.memoryCurrent === undefined) return undefined;
  return perSecond(now.memoryCurrent - before.memoryCurrent, now.takenNs - before.takenNs);
}

/** A change per second of time that passed; undefined when none did. */
export function perSecond(delta: number, elapsedNs: bigint): number | undefined {
  return elapsedNs <= 0n ? undefined : delta / (Number(elapsedNs) / 1e9);
}
