import type { ASTNode } from '@marcbachmann/cel-js';

/** Every node of an expression, parents first. */
export function* nodesOf(node: ASTNode): Generator<ASTNode> {
  yield node;
  for (const child of childrenOf(node.args)) yield* nodesOf(child);
}

function* childrenOf(value: unknown): Generator<ASTNode> {
  if (Array.isArray(value)) for (const element of value) yield* childrenOf(element);
  else if (typeof value === 'object' && value !== null && 'op' in value) yield value as ASTNode;
}
