import { all, always, any, type Condition, never } from './condition.ts';
import type { Test } from './decision.ts';

/** Tests whose outcome is known where a condition is looked at. */
export type Facts = ReadonlyMap<string, boolean>;

/**
 * A condition without the tests whose outcome the tests before them have settled. Undefined when the budget of tests
 * is used up: conditions share parts, and written out they may be very long.
 */
export function simplify(
  condition: Condition,
  facts: Facts,
  budget: { tests: number },
): Condition | undefined {
  if (condition.kind === 'test') {
    budget.tests -= 1;
    if (budget.tests < 0) return undefined;
    const outcome = facts.get(keyOf(condition.test));
    return outcome === undefined ? condition : outcome === condition.negated ? never : always;
  }
  if (condition.kind !== 'all' && condition.kind !== 'any') return condition;
  const join = condition.kind === 'all' ? all : any;
  const parts: Condition[] = [];
  const now = new Map(facts);
  for (const part of condition.of) {
    const simple = simplify(part, now, budget);
    if (simple === undefined) return undefined;
    parts.push(simple);
    // Behind an `and` the test has held, behind an `or` it has failed.
    if (simple.kind === 'test') now.set(keyOf(simple.test), (condition.kind === 'all') !== simple.negated);
  }
  return join(...parts);
}

function keyOf({ relation, left, right }: Test): string {
  return `${left.key} ${relation} ${right.key}`;
}
