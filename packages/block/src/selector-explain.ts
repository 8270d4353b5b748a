import type { ASTNode } from '@marcbachmann/cel-js';

import { SelectorError, locate } from './selector-error.ts';
import { type Expression, type Language, type Outcome, compileExpression } from './selector-expression.ts';

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

/** Cuts an expression into the parts that must all be true, in reading order. */
export function partsOf(language: Language, expression: Expression): readonly Expression[] {
  const parts: Expression[] = [];
  for (const node of conjuncts(expression.ast)) {
    const part = compilePart(language, expression.text, node);
    if (part === undefined) return [expression];
    parts.push(part);
  }
  return parts;
}

export function explain(
  expression: Expression,
  parts: readonly Expression[],
  bindings: Readonly<Record<string, unknown>>,
): Explanation {
  const outcome = expression.evaluate(bindings);
  if (outcome.matched) return outcome;
  for (const part of parts) {
    const { matched, error } = part.evaluate(bindings);
    if (matched) continue;
    const text = part.text.trim();
    const { line, column } = locate(part.text, part.text.length - part.text.trimStart().length);
    const failed = { text, line, column, ...(error === undefined ? {} : { error }) };
    return { ...outcome, failed };
  }
  return outcome;
}

function conjuncts(node: ASTNode): readonly ASTNode[] {
  return node.op === '&&' ? [...conjuncts(node.args[0]), ...conjuncts(node.args[1])] : [node];
}

/** One part as an expression of its own; blanks stand for what was before it, so that places stay the same. */
function compilePart(language: Language, text: string, node: ASTNode): Expression | undefined {
  // The range of `(a + b) > c` begins after the parenthesis: take in as many as make it an expression again.
  for (const start of reach(text, node.range.start, -1, '(')) {
    for (const end of reach(text, node.range.end - 1, 1, ')')) {
      const part = tryCompile(language, blank(text.slice(0, start)) + text.slice(start, end + 1));
      if (part !== undefined) return part;
    }
  }
  return undefined;
}

/** `from`, and then each place of `parenthesis` that only blanks keep from it. */
function* reach(text: string, from: number, step: 1 | -1, parenthesis: string): Generator<number> {
  yield from;
  for (let at = from + step; at >= 0 && at < text.length; at += step) {
    const character = text[at] ?? '';
    if (character === parenthesis) yield at;
    else if (character.trim() !== '') return;
  }
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

function tryCompile(language: Language, text: string): Expression | undefined {
  try {
    return compileExpression(language, text);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
