import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';

import { type PathStep, type Problems } from './problems.ts';
import { shownKey } from './shown-key.ts';

/** Whether a text may hold an anchor, a tag, or an escape that makes half of a character: most hold no sign of them. */
export function isMarked(text: string): boolean {
  return /[&!]|\\[uU]/u.test(text) || !text.isWellFormed();
}

/**
 * Reports what YAML allows and a configuration does not: duplicate keys, keys that are no text, anchors, aliases, tags, merge keys,
 * texts that UTF-8 has no bytes for.
 *
 * Aliases are refused because a secret could be written in one place and used in another, where redaction does not
 * look; tags because they change the type of a value behind the reader's back.
 *
 * @param marked what {@link isMarked} says of the text: without it, single values are not looked at.
 */
export function checkTree(root: Node, document: string, problems: Problems, marked: boolean): void {
  /** How the walk came here, up to where it is; spelled out only where something is reported. */
  const way: PathStep[] = [];
  const report = (code: string, message: string, node: Node, depth: number): void =>
    problems.add({
      code,
      message,
      path: shownPath(way.slice(0, depth)),
      document,
      offset: node.range?.[0] ?? 0,
    });

  const visit = (node: unknown, depth: number): void => {
    if (isScalar(node)) {
      if (!marked) return;
      checkMarks(node, depth);
      if (typeof node.value === 'string' && !node.value.isWellFormed()) {
        const message =
          'an escape here is half of a character (\\uD800 to \\uDFFF): write the whole character';
        report('yaml.surrogate', message, node, depth);
      }
    } else if (isMap(node)) {
      if (marked) checkMarks(node, depth);
      visitMap(node, depth);
    } else if (isSeq(node)) {
      if (marked) checkMarks(node, depth);
      const { items } = node;
      for (let index = 0; index < items.length; index += 1) {
        way[depth] = index;
        visit(items[index], depth + 1);
      }
    } else if (isAlias(node))
      report('yaml.alias', 'aliases are not accepted; quote a value that begins with *', node, depth);
  };

  const checkMarks = (
    node: Node & { readonly anchor?: string; readonly tag?: string },
    depth: number,
  ): void => {
    if (node.anchor !== undefined)
      report('yaml.anchor', 'anchors are not accepted; quote a value that begins with &', node, depth);
    if (node.tag !== undefined)
      report('yaml.tag', 'tags are not accepted; quote a value that begins with !', node, depth);
  };

  const visitMap = (map: YAMLMap, depth: number): void => {
    const { items } = map;
    const isRepeated = repeats(items);
    for (let index = 0; index < items.length; index += 1) {
      const { key, value } = items[index] as Pair;
      const scalar = isScalar(key) ? key : undefined;
      const name = scalar?.value;
      if (scalar !== undefined && isMerge(scalar)) {
        const message =
          'merge keys (<<) are not accepted: write the fields here; quote << where it is meant as text';
        report('yaml.merge', message, scalar, depth);
        visit(value, depth);
      } else if (scalar === undefined || typeof name !== 'string' || (marked && hasMark(scalar))) {
        const node = scalar ?? (isMap(key) || isSeq(key) || isAlias(key) ? key : map);
        report('yaml.key', 'a key is a plain text', node, depth);
      } else {
        way[depth] = name;
        if (isRepeated(name, index))
          report('yaml.duplicate_key', 'this field is given twice', scalar, depth + 1);
        visit(value, depth + 1);
      }
    }
  };

  visit(root, 0);
}

/** From here on it is quicker to remember the keys than to compare each with those before it. */
const many = 12;

/** Whether a key was given before; asked of each in the order of the mapping. */
function repeats(items: readonly Pair[]): (name: string, index: number) => boolean {
  if (items.length < many) {
    return (name, index) => {
      for (let before = 0; before < index; before += 1) {
        const key = items[before]?.key;
        if (isScalar(key) && key.value === name && !isMerge(key) && !hasMark(key)) return true;
      }
      return false;
    };
  }
  const seen = new Set<string>();
  return (name) => {
    const isKnown = seen.has(name);
    seen.add(name);
    return isKnown;
  };
}

function isMerge(key: Scalar): boolean {
  return key.value === '<<' && key.type === 'PLAIN';
}

function hasMark({ anchor, tag }: Scalar): boolean {
  return anchor !== undefined || tag !== undefined;
}

function shownPath(way: readonly PathStep[]): readonly PathStep[] {
  const shown: PathStep[] = [];
  for (const step of way) shown.push(typeof step === 'number' ? step : shownKey(step, shown));
  return shown;
}
