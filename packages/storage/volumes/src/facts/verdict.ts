import type { Candidate } from './facts.ts';

/** What became of one disk in the search for a place. */
export type DiskVerdict = {
  readonly disk: string;
  /** The document's selector matches it. */
  readonly matched: boolean;
  readonly reason: string;
};

/** In a sentence, which stands in a table. */
const maxNamed = 4;
const maxReasonsLength = 280;
/** A status is sent whole with each of its changes. */
const maxVerdicts = 100;

/** Why each disk is not used: those that match first, and no more than a status can bear. */
export function verdictsOf(candidates: readonly Candidate[]): readonly DiskVerdict[] {
  return ranked(candidates)
    .slice(0, maxVerdicts)
    .map((one) => ({ disk: one.disk.id, matched: hasMatched(one), reason: reasonOf(one) }));
}

/** `: sdb: holds xfs; 49 others do not match` */
export function explain(candidates: readonly Candidate[]): string {
  if (candidates.length === 0) return ': there are no disks';
  const all = ranked(candidates);
  const telling = all.filter((one) => rankOf(one) < indifferent);
  const named = (telling.length === 0 ? all : telling).slice(0, maxNamed);
  const untold = Math.max(telling.length - named.length, 0);
  const others = all.length - named.length - untold;
  const longest = Math.floor(maxReasonsLength / named.length);
  const parts = named.map((one) => `${one.disk.id}: ${shortened(reasonOf(one), longest)}`);
  if (untold > 0) parts.push(`${untold} more can't be used`);
  if (others > 0) parts.push(`${others} ${others === 1 ? 'other does' : 'others do'} not match`);
  return `: ${parts.join('; ')}`;
}

/** Names for a sentence: `sda, sdb, sdc, sdd and 7 more`. */
export function someOf(names: readonly string[]): string {
  const sorted = names.toSorted();
  if (sorted.length <= 2 * maxNamed) return sorted.join(', ');
  return `${sorted.slice(0, maxNamed).join(', ')} and ${sorted.length - maxNamed} more`;
}

function reasonOf({ mismatch, owner, refusal }: Candidate): string {
  return mismatch ?? (owner === undefined ? refusal : `belongs to volume ${owner}`) ?? 'fits';
}

function hasMatched({ mismatch, noted }: Candidate): boolean {
  return mismatch === undefined || noted === 'selector matches';
}

/** From this rank on disks are counted in a message and not named: nothing about them concerns the volume. */
const indifferent = 3;

function rankOf({ mismatch, noted }: Candidate): number {
  if (mismatch === undefined) return 0;
  if (noted === undefined) return indifferent;
  return noted === 'selector fails' ? 1 : 2;
}

function ranked(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted(
    (left, right) => rankOf(left) - rankOf(right) || (left.disk.id < right.disk.id ? -1 : 1),
  );
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
