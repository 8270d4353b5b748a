import { type Node, type Pair, visit } from 'yaml';

/** A copy of a node without its comments, which belong to the text that it is from. */
export function copy<One extends Node | Pair>(node: One): One {
  const cloned = node.clone() as One;
  visit(cloned as Node, {
    Node: (_key, one) => {
      delete one.comment;
      delete one.commentBefore;
      delete one.spaceBefore;
    },
  });
  return cloned;
}
