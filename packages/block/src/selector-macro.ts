import type { ASTNode } from '@marcbachmann/cel-js';

/** What the CEL library hands to a macro (its README, "Custom macros"); its own types leave these open. */
export type MacroCall = {
  readonly args: readonly ASTNode[];
  readonly receiver?: ASTNode;
  readonly ast: ASTNode;
};

export type CheckedType = { readonly name: string };

export type Checker = {
  check(node: ASTNode, context: unknown): CheckedType;
  getType(name: string): CheckedType;
};

export type Evaluator = { run(node: ASTNode, context: unknown): unknown };
