import { isMap, isScalar, isSeq, Pair, Scalar, YAMLMap, YAMLSeq, type Node } from 'yaml';

import { pairOf } from '../patch/nodes.ts';
import { type Part } from './move.ts';

/** A value of a field, made of a node of the root, or new. */
export type Value = Node | string | number | boolean | null | undefined;

/** A mapping of these fields, those without a value left out. Findings in it are shown where `from` stands. */
export function mapping(from: Node | undefined, fields: Readonly<Record<string, Value>>): YAMLMap {
  const map = new YAMLMap();
  map.items = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [new Pair(word(name, undefined), nodeOf(value, from))],
  );
  return placed(map, from);
}

/** A list of these items. */
export function sequence(from: Node | undefined, items: readonly Value[]): YAMLSeq {
  const list = new YAMLSeq();
  list.items = items.flatMap((item) => (item === undefined || item === null ? [] : [nodeOf(item, from)]));
  return placed(list, from);
}

/** A scalar that stands where `from` does. */
export function word(value: string | number | boolean, from: Node | undefined): Scalar {
  const scalar = placed(new Scalar(value), from);
  // It begins where the other does, whose text is not its own.
  if (scalar.range) scalar.range = [scalar.range[0], scalar.range[0], scalar.range[0]];
  return scalar;
}

/** Any plain value as nodes that stand where `from` does. */
export function nodes(value: unknown, from: Node | undefined): Node {
  if (Array.isArray(value))
    return sequence(
      from,
      value.map((item) => nodes(item, from)),
    );
  if (typeof value === 'object' && value !== null && !isNode(value))
    return mapping(
      from,
      Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nodes(one, from)])),
    );
  return isNode(value) ? value : word(value as string, from);
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value);
}

function nodeOf(value: Exclude<Value, null | undefined>, from: Node | undefined): Node {
  return typeof value === 'object' ? value : word(value, from);
}

function placed<T extends Node>(node: T, from: Node | undefined): T {
  if (from?.range) node.range = from.range;
  return node;
}

/** The fields of a mapping by their names; none of what is no mapping. */
export function fieldsOfNode(node: unknown): Readonly<Record<string, Node | undefined>> {
  if (!isMap(node)) return {};
  return Object.fromEntries(
    node.items.flatMap(({ key, value }) =>
      isScalar(key) && value !== null ? [[String(key.value), value as Node]] : [],
    ),
  );
}

/** The fields with these names as they stand, comments in front of them too. */
export function picked(from: Node | undefined, names: Readonly<Record<string, string>>): YAMLMap {
  const map = new YAMLMap();
  for (const [own, other] of Object.entries(names)) {
    const pair = isMap(from) ? pairOf(from, own) : undefined;
    if (pair?.value === undefined || pair.value === null) continue;
    const key = word(other, isScalar(pair.key) ? pair.key : undefined);
    if (isScalar(pair.key) && pair.key.commentBefore) key.commentBefore = pair.key.commentBefore;
    map.items.push(new Pair(key, pair.value));
  }
  return placed(map, from);
}

/** The items of a list; none of what is no list. */
export function itemsOf(node: unknown): readonly Node[] {
  return isSeq(node) ? (node.items as Node[]) : [];
}

/** The text of a scalar. */
export function textOfNode(node: unknown): string | undefined {
  return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
}

/** Whether a node is `true`. */
export function isTrue(node: unknown): boolean {
  return isScalar(node) && node.value === true;
}

/** Whether a node is `false`. */
export function isFalse(node: unknown): boolean {
  return isScalar(node) && node.value === false;
}

/** One document. */
export function part(kind: string, map: YAMLMap): Part {
  return { kind, map };
}

/** A document when it has a field beside its name. */
export function partUnlessEmpty(kind: string, map: YAMLMap, named = false): readonly Part[] {
  return map.items.length > (named ? 1 : 0) ? [{ kind, map }] : [];
}
