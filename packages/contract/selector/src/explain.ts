import type { Bindings } from './cel/evaluator.ts';
import type { Node } from './cel/nodes.ts';
import { locate } from './errors.ts';
import type { Expression, Outcome } from './program.ts';

/** Why an expression did not match: the first part of its `&&` chain that was not true. */
export type FailedPart = {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
  /** Set when the part could not be evaluated; otherwise it was false. */
  readonly error?: string;
};

export type Explanation = Outcome & { readonly failed?: FailedPart };

/**
 * Evaluates the whole expression, and without a match its parts again, each with a step limit of its own, up to the first
 * that is not true. Never throws; `failed` is absent when all are true, as can be where the whole was too costly.
 */
export function explain(expression: Expression, bindings: Bindings): Explanation {
  const outcome = expression.evaluate(bindings);
  if (outcome.matched) return outcome;
  for (const part of conjuncts(expression.node)) {
    const { matched, error } = expression.evaluatePart(part, bindings);
    if (matched) continue;
    const text = expression.text.slice(part.start, part.end);
    const { line, column } = locate(expression.text, part.start);
    return { ...outcome, failed: { text, line, column, ...(error === undefined ? {} : { error }) } };
  }
  return outcome;
}

/** The parts that must all be true, in reading order. */
function conjuncts(node: Node): readonly Node[] {
  return node.kind === 'and' ? node.operands.flatMap(conjuncts) : [node];
}
