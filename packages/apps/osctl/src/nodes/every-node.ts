import { AllFailedError, PartialError, type NodeFailure } from '../errors.ts';
import { isDistant } from '../error-lines.ts';
import type { Target } from './target.ts';

/** What came back from the nodes, in the order they were named. */
export type Answers<Result, Asked = Target> = {
  readonly results: readonly { readonly target: Asked; readonly result: Result }[];
  /** Throws when a node failed; call it after printing what the others answered. */
  readonly throwFailures: () => void;
};

/** Asks all nodes at the same time. One that fails does not hold back the others. */
export async function everyNode<Result, Asked extends Pick<Target, 'name' | 'direct'> = Target>(
  targets: readonly Asked[],
  ask: (target: Asked) => Promise<Result>,
): Promise<Answers<Result, Asked>> {
  const settled = await Promise.allSettled(targets.map(ask));
  const results: { target: Asked; result: Result }[] = [];
  const failures: NodeFailure[] = [];
  for (const [index, outcome] of settled.entries()) {
    const target = targets[index]!;
    if (outcome.status === 'fulfilled') results.push({ target, result: outcome.value });
    else failures.push({ node: target.name, error: outcome.reason, direct: target.direct });
  }
  return { results, throwFailures: () => throwFailures(failures, targets.length) };
}

function throwFailures(failures: readonly NodeFailure[], total: number): void {
  const [first] = failures;
  if (first === undefined) return;
  if (total === 1) throw failureOf(first);
  throw failures.length === total ? new AllFailedError(failures) : new PartialError(failures, total);
}

/** What to throw for the only node: its own error, but where it says too little. */
export function failureOf(failure: NodeFailure): unknown {
  return failure.direct === true && isDistant(failure.error) ? new AllFailedError([failure]) : failure.error;
}
