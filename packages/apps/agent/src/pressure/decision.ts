import type { Member } from '@nodecore/cgroup';
import type { Choice, Observation } from '@nodecore/pressure-policy';
import type { PressureAction, PressurePolicy } from '@nodecore/config';
import type { Json } from '@nodecore/state';

/** What came of a decision. `acting`: not known yet. `unknown`: the agent ended before it was known. */
export type Outcome = 'acting' | 'done' | 'failed' | 'dryRun' | 'noVictim' | 'unknown';

/** Why something was undone. */
export type ReleaseReason =
  | 'calm'
  | 'atLatest'
  | 'configuration'
  | 'shutdown'
  | 'restart'
  | 'gone'
  | 'changed';

/** One decision of a policy, as a resource shows it and as it is kept: JSON. */
export type Decision = {
  /** Grows by one with each, over restarts, too. */
  readonly id: string;
  /** RFC 3339. */
  readonly time: string;
  readonly policy: string;
  /** What the kernel said. */
  readonly trigger: Json;
  readonly expression: string;
  /** Milliseconds between the two readings that rates were computed from. */
  readonly elapsedMs?: number;
  /** The machine's pressure. */
  readonly readings: Json;
  /** Those that could have been chosen, best first, ten at most. */
  readonly candidates: Json;
  readonly candidateCount: number;
  /** Those that could not, and why, twenty at most. */
  readonly refused: Json;
  readonly refusedCount: number;
  readonly victim?: Json;
  readonly action: PressureAction['kind'];
  readonly size?: string;
  readonly dryRun: boolean;
  readonly outcome: Outcome;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly effect?: Json;
  readonly durationMs?: number;
  /** How often in a row there was no victim to choose, and when last. */
  readonly count?: number;
  readonly lastTime?: string;
  readonly released?: { readonly time: string; readonly reason: ReleaseReason };
};

export type DecisionFacts = Omit<Decision, 'id'>;

const maxCandidates = 10;
const maxRefused = 20;

/** The readings that led to a decision. */
export function readingsOf(
  now: Observation,
  before: Observation | undefined,
  { ranked, refused }: Choice,
): Pick<Decision, 'elapsedMs' | 'readings' | 'candidates' | 'candidateCount' | 'refused' | 'refusedCount'> {
  const { machine } = now;
  return {
    ...(before && { elapsedMs: Number(now.takenNs - before.takenNs) / 1e6 }),
    readings: { memory: lines(machine.memory), io: lines(machine.io), cpu: lines(machine.cpu) },
    candidates: ranked.slice(0, maxCandidates).map(({ candidate, score }) => ({
      path: candidate.path,
      class: candidate.class,
      score,
      memoryBytes: candidate.memoryCurrent,
      swapBytes: candidate.memorySwapCurrent,
      memoryBytesPerSecond: candidate.memoryGrowth,
      memorySomeAvg10: candidate.pressure.memory?.some?.avg10,
      memoryFullAvg10: candidate.pressure.memory?.full?.avg10,
      ioFullAvg10: candidate.pressure.io?.full?.avg10,
      cpuSomeAvg10: candidate.pressure.cpu?.some?.avg10,
    })),
    candidateCount: ranked.length,
    refused: refused.slice(0, maxRefused).map((each) => ({ ...each })),
    refusedCount: refused.length,
  };
}

/** A pressure file as JSON. */
export function lines(reading: Observation['machine']['memory']): Json | undefined {
  if (reading === undefined) return undefined;
  const { some, full } = reading;
  return { some: some && { ...some }, full: full && { ...full } };
}

/** What a policy does, as far as a decision shows it. */
export function deedOf({ action, dryRun }: PressurePolicy): Pick<Decision, 'action' | 'size' | 'dryRun'> {
  return { action: action.kind, ...('size' in action && { size: action.size.text }), dryRun };
}

/** Names of processes without their arguments, which may be confidential. */
export function victimSpec(
  chosen: { readonly path: string; readonly class: string; readonly score: number; readonly inode: bigint },
  { count, members }: { readonly count: number; readonly members: readonly Member[] },
): Json {
  return {
    ...chosen,
    inode: String(chosen.inode),
    processCount: count,
    processes: members.map((each) => ({ ...each })),
  };
}
