import { type CgroupClass, cgroupClasses } from './classes.ts';
import { type Protected, protection } from './protection.ts';
import type { Candidate } from './reading.ts';

/** What an expression says of a candidate. */
export type Ranking = { readonly score: number } | { readonly error: string };

/** Why a cgroup was not chosen. */
export type Refusal =
  | 'root'
  | 'own'
  | 'init'
  | 'protected-class'
  /** No processes. */
  | 'empty'
  /** Something was done to it already, and is not undone yet; or somebody else froze it. */
  | 'held'
  /** The expression gives it 0 or less, or no number. */
  | 'score'
  /** The expression can't be evaluated for it. */
  | 'error'
  /** It was gone when its turn came. */
  | 'vanished';

export type Ranked = { readonly candidate: Candidate; readonly score: number };
export type Refused = {
  readonly path: string;
  readonly class: CgroupClass;
  readonly why: Refusal;
  readonly message?: string;
};

export type DecisionInput = {
  readonly candidates: readonly Candidate[];
  readonly rank: (candidate: Candidate) => Ranking;
  /** The lowest class that has a candidate gives the victim, whatever the scores of others. */
  readonly strictClassOrdering: boolean;
  readonly protectedClasses: readonly CgroupClass[];
  readonly protected: Protected;
  /** Paths to which something was done that is not undone. */
  readonly held: readonly string[];
  /** Whether a frozen cgroup may be chosen: it can be killed, but not be frozen once more. */
  readonly mayBeFrozen: boolean;
};

export type Choice = {
  readonly victim: Ranked | undefined;
  /** All that could have been chosen, the victim first. */
  readonly ranked: readonly Ranked[];
  readonly refused: readonly Refused[];
};

/** Chooses the victim of a policy. The same readings always give the same one. */
export function decide(input: DecisionInput): Choice {
  const ranked: Ranked[] = [];
  const refused: Refused[] = [];
  for (const candidate of input.candidates) {
    const refuse = (why: Refusal, message?: string): void => {
      const { path, class: className } = candidate;
      refused.push({ path, class: className, why, ...(message !== undefined && { message }) });
    };
    const why = refusalOf(candidate, input);
    if (why !== undefined) {
      refuse(why);
      continue;
    }
    const ranking = input.rank(candidate);
    if ('error' in ranking) refuse('error', ranking.error);
    else if (ranking.score > 0) ranked.push({ candidate, score: ranking.score });
    else refuse('score');
  }
  ranked.sort(input.strictClassOrdering ? byClass : byScore);
  return { victim: ranked[0], ranked, refused };
}

function refusalOf(candidate: Candidate, input: DecisionInput): Refusal | undefined {
  const { path, class: className, populated, frozen } = candidate;
  const never = protection(path, input.protected);
  if (never !== undefined) return never;
  if (input.protectedClasses.includes(className)) return 'protected-class';
  if (!populated) return 'empty';
  return input.held.includes(path) || (frozen && !input.mayBeFrozen) ? 'held' : undefined;
}

function byClass(left: Ranked, right: Ranked): number {
  const place = ({ candidate }: Ranked): number => cgroupClasses.indexOf(candidate.class);
  return place(left) - place(right) || byScore(left, right);
}

/** Of equals the one with more memory, then the first by path. */
function byScore(left: Ranked, right: Ranked): number {
  const memory = ({ candidate }: Ranked): number => candidate.memoryCurrent ?? -1;
  if (left.score !== right.score) return left.score > right.score ? -1 : 1; // two infinities have no difference
  if (memory(left) !== memory(right)) return memory(right) - memory(left);
  return left.candidate.path < right.candidate.path ? -1 : 1;
}
