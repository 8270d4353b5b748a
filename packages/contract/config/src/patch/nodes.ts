import { builtin } from '@nodecore/sys/pure';
import { isMap, isScalar, isSeq, type Node, Pair, Scalar, type YAMLMap } from 'yaml';

const util = builtin('node:util');

/** An explicit `null`, or nothing where a value should be. */
export function isNull(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

/** Key and value of a field, to be edited in place; a field without a value is found too, unlike an absent one. */
export function pairOf(map: YAMLMap, name: string): Pair<Node, Node | null> | undefined {
  return (map.items as Pair<Node, Node | null>[]).find(({ key }) => isScalar(key) && key.value === name);
}

/** Whether two nodes have equal values; layout, comments and the order of fields don't count. */
export function isEqual(one: unknown, other: unknown): boolean {
  return util().isDeepStrictEqual(plain(one), plain(other));
}

/** Puts a value in its place; a comment behind the former one stays. */
export function setValue(map: YAMLMap, name: string, value: Node): void {
  const pair = pairOf(map, name);
  const present = pair?.value;
  if (isScalar(present) && isScalar(value)) {
    if (typeof present.comment === 'string' && typeof value.comment !== 'string')
      value.comment = present.comment;
  }
  if (pair === undefined) map.items.push(new Pair(new Scalar(name), value));
  else pair.value = value;
}

/** What a node holds. Numbers that are no safe integers by their text: as doubles, two different ones may be equal. */
export function plain(node: unknown): unknown {
  if (isSeq(node)) return node.items.map(plain);
  if (isMap(node)) {
    return new Map(node.items.map(({ key, value }) => [isScalar(key) ? key.value : key, plain(value)]));
  }
  if (!isScalar(node)) return null;
  const isLarge = typeof node.value === 'number' && !Number.isSafeInteger(node.value);
  return isLarge ? { number: node.source ?? String(node.value) } : node.value;
}
