import { all, always, any, choose, type Condition, never, not } from './condition.ts';
import type { Decision } from './decision.ts';

/** Nodes of a graph in which runs of tests with common ends become one condition. */
type Node = {
  condition: Condition;
  yes: Node | Leaf;
  no: Node | Leaf;
  /** How many edges lead here. */
  entries: number;
};
type Leaf = { readonly returns: Decision };

/** What a program returns, and when: one condition for each value, in the order in which they are met. */
export function outcomesOf(root: Decision): ReadonlyMap<Decision, Condition> {
  const leaves = new Map<Decision, Leaf>();
  const nodes = new Map<Decision, Node>();
  const order: Node[] = [];

  function convert(decision: Decision): Node | Leaf {
    if (decision.kind === 'return') {
      const leaf = leaves.get(decision) ?? { returns: decision };
      leaves.set(decision, leaf);
      return leaf;
    }
    const known = nodes.get(decision);
    if (known !== undefined) {
      known.entries += 1;
      return known;
    }
    const { test } = decision;
    const yes = convert(decision.yes);
    const no = convert(decision.no);
    const node: Node = { condition: { kind: 'test', test, negated: false }, yes, no, entries: 1 };
    nodes.set(decision, node);
    order.push(node);
    return node;
  }

  const top = convert(root);
  // Successors first, so that one pass absorbs whole runs; diamonds may open new ones.
  for (const node of order) while (absorb(node));
  return new Map([...leaves].map(([decision, leaf]) => [decision, conditionOf(top, leaf, new Map())]));
}

function isNode(node: Node | Leaf): node is Node {
  return 'condition' in node;
}

/** Joins a node with a successor that nothing else leads to and that shares one of its ends. */
function absorb(node: Node): boolean {
  const { condition, yes, no } = node;
  if (isNode(no) && no.entries === 1) {
    if (no.yes === yes) return become(node, any(condition, no.condition), yes, no.no);
    if (no.no === yes) return become(node, any(condition, not(no.condition)), yes, no.yes);
  }
  if (isNode(yes) && yes.entries === 1) {
    if (yes.no === no) return become(node, all(condition, yes.condition), yes.yes, no);
    if (yes.yes === no) return become(node, all(condition, not(yes.condition)), yes.no, no);
  }
  if (!isNode(yes) || !isNode(no) || yes.entries !== 1 || no.entries !== 1) return false;
  if (yes.yes === no.yes && yes.no === no.no) {
    return become(node, choose(condition, yes.condition, no.condition), yes.yes, yes.no);
  }
  if (yes.yes === no.no && yes.no === no.yes) {
    return become(node, choose(condition, yes.condition, not(no.condition)), yes.yes, yes.no);
  }
  return false;
}

function become(node: Node, condition: Condition, yes: Node | Leaf, no: Node | Leaf): true {
  const before = [node.yes, node.no];
  for (const end of before) if (isNode(end) && end !== yes && end !== no) count([end.yes, end.no], -1);
  count(
    [yes, no].filter((end) => !before.includes(end)),
    1,
  );
  Object.assign(node, { condition, yes, no });
  return true;
}

function count(ends: readonly (Node | Leaf)[], change: number): void {
  for (const end of ends) if (isNode(end)) end.entries += change;
}

/** When `leaf` is reached from `node`. Shared nodes give one condition, which is not copied. */
function conditionOf(node: Node | Leaf, leaf: Leaf, known: Map<Node, Condition>): Condition {
  if (!isNode(node)) return node === leaf ? always : never;
  const found = known.get(node);
  if (found !== undefined) return found;
  const made = choose(node.condition, conditionOf(node.yes, leaf, known), conditionOf(node.no, leaf, known));
  known.set(node, made);
  return made;
}
