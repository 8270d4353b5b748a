import { resolveSize } from '@nodecore/config';

import type { Action, Wait } from './action.ts';
import type { Candidate, Pending } from './facts.ts';
import { stableId } from './intent.ts';
import type { PartitionSpec, VolumeSpec } from './spec.ts';

/** A whole disk must be named without doubt: exactly one match, and that one usable. */
export function chooseDisk(candidates: readonly Candidate[]): Action {
  const matching = candidates.filter((one) => one.mismatch === undefined && one.owner === undefined);
  const [only, ...others] = matching;
  if (only === undefined) return wait(`no disk matches${explain(candidates)}`);
  if (others.length > 0) {
    const names = matching.map((one) => one.disk.id).sort();
    return wait(`${matching.length} disks match, need 1: ${names.join(', ')}`);
  }
  if (only.refusal !== undefined) return wait(`no disk can be used${explain(candidates)}`);
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
    const matches = judged.some((one) => one.candidate.mismatch === undefined);
    const verdict = matches ? 'no disk can be used' : 'no disk matches';
    const silent = candidates.filter((one) => one.silent === true).map(({ disk }) => disk.id);
    return {
      ...wait(`${verdict}${explain(judged.map((one) => one.candidate))}`),
      // A disk that was slow once has its space yet; nobody else gets it because he happened to ask later.
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
  const over = left.candidate.free - left.size - (right.candidate.free - right.size);
  if (over !== 0n) return over < 0n ? -1 : 1;
  const [a, b] = [stableId(left.candidate.disk), stableId(right.candidate.disk)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `: nvme0n1: expression is false; sda: holds xfs` */
function explain(candidates: readonly Candidate[]): string {
  const why = candidates
    .map(({ disk, mismatch, owner, refusal }) => {
      const reason = mismatch ?? (owner === undefined ? refusal : `belongs to volume ${owner}`);
      return `${disk.id}: ${reason ?? 'fits'}`;
    })
    .sort();
  return why.length === 0 ? ': there are no disks' : `: ${why.join('; ')}`;
}

function wait(reason: string): Wait {
  return { kind: 'wait', phase: 'waiting', reason };
}
