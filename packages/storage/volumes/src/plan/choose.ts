import { resolveSize } from '@nodecore/config';

import type { Action, Wait } from './action.ts';
import type { Candidate, Pending } from '../facts/facts.ts';
import { stableId } from '../intents/intent.ts';
import type { PartitionSpec, VolumeSpec } from '../spec.ts';
import { explain, someOf, verdictsOf } from '../facts/verdict.ts';

/** A whole disk must be named without doubt: exactly one match, and that one usable. */
export function chooseDisk(candidates: readonly Candidate[]): Action {
  const matching = candidates.filter((one) => one.mismatch === undefined && one.owner === undefined);
  const [only, ...others] = matching;
  if (only === undefined) return wait(`no disk matches${explain(candidates)}`, candidates);
  if (others.length > 0) {
    const names = someOf(matching.map((one) => one.disk.id));
    return wait(`${matching.length} disks match, need 1: ${names}`, candidates);
  }
  if (only.refusal !== undefined) return wait(`no disk can be used${explain(candidates)}`, candidates);
  return { kind: 'claimDisk', candidate: only };
}

/**
 * A partition goes where it fits best: the least space left over, then the disk's stable name, so that the choice
 * does not depend on the order in which the kernel found the disks.
 */
export function choosePartition(
  spec: VolumeSpec,
  candidates: readonly Candidate[],
  pending: readonly Pending[],
): Action {
  const rules = spec.partition;
  if (rules === undefined) throw new TypeError(`${spec.id} is no partition volume`);
  const judged = candidates.map((candidate) => judge(rules, candidate));
  const [best] = judged.filter((one) => one.candidate.refusal === undefined && usable(one)).sort(byFit);
  if (best === undefined) {
    const all = judged.map((one) => one.candidate);
    const matches = judged.some((one) => one.candidate.mismatch === undefined);
    const verdict = matches ? 'no disk can be used' : 'no disk matches';
    const silent = candidates.filter((one) => one.silent === true).map(({ disk }) => disk.id);
    return {
      ...wait(`${verdict}${explain(all)}`, all),
      // A disk that was slow once has its space yet; a volume that asks later does not get it for that.
      ...(silent.length > 0 && { wantsSpace: silent }),
    };
  }
  const { candidate, size } = best;
  const first = pending.find((one) => one.disks.includes(candidate.disk.id));
  if (first !== undefined)
    return { ...wait(`${first.id} takes its space on ${candidate.disk.id} first`), wantsSpace: 'anywhere' };
  return { kind: 'provisionPartition', candidate, size: size === candidate.free ? 'rest' : size };
}

type Judged = { readonly candidate: Candidate; readonly size: bigint };

function judge(rules: PartitionSpec, candidate: Candidate): Judged {
  if (!eligible(candidate)) return { candidate, size: 0n };
  try {
    return { candidate, size: resolveSize(candidate.free, rules.minSize, rules.maxSize) };
  } catch (error) {
    const refusal = error instanceof Error ? error.message : String(error);
    return { candidate: { ...candidate, refusal }, size: 0n };
  }
}

function eligible(candidate: Candidate): boolean {
  return candidate.mismatch === undefined && candidate.owner === undefined && candidate.refusal === undefined;
}

function usable(judged: Judged): boolean {
  return eligible(judged.candidate) && judged.size > 0n;
}

function byFit(left: Judged, right: Judged): number {
  const [erasesLeft, erasesRight] = [left, right].map((one) => one.candidate.erase !== undefined);
  if (erasesLeft !== erasesRight) return erasesLeft === true ? 1 : -1; // what needs no erasing comes first
  const over = left.candidate.free - left.size - (right.candidate.free - right.size);
  if (over !== 0n) return over < 0n ? -1 : 1;
  const [a, b] = [stableId(left.candidate.disk), stableId(right.candidate.disk)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function wait(reason: string, candidates?: readonly Candidate[]): Wait {
  const verdicts = candidates && { candidates: verdictsOf(candidates) };
  return { kind: 'wait', phase: 'waiting', reason, ...verdicts };
}
