import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';

import { type PathStep, type Problems } from './problems.ts';
import { shownKey } from './shown-key.ts';

/**
 * Reports what YAML allows and a configuration does not: duplicate keys, keys that are no text, anchors, aliases, tags, merge keys,
 * texts that UTF-8 has no bytes for.
 *
 * Aliases are refused because a secret could be written in one place and used in another, where redaction does not
 * look; tags because they change the type of a value behind the reader's back.
 */
export function checkTree(root: Node, document: string, problems: Problems): void {
  const report = (code: string, message: string, way: Way | undefined, node: Node): void =>
    problems.add({ code, message, path: pathOf(way), document, offset: node.range?.[0] ?? 0 });

  const visit = (node: unknown, path: Way | undefined): void => {
    if (isAlias(node)) {
      report('yaml.alias', 'aliases are not accepted; quote a value that begins with *', path, node);
      return;
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return;
    if (node.anchor !== undefined)
      report('yaml.anchor', 'anchors are not accepted; quote a value that begins with &', path, node);
    if (node.tag !== undefined)
      report('yaml.tag', 'tags are not accepted; quote a value that begins with !', path, node);
    if (isScalar(node) && typeof node.value === 'string' && !node.value.isWellFormed()) {
      const message = 'an escape here is half of a character (\\uD800 to \\uDFFF): write the whole character';
      report('yaml.surrogate', message, path, node);
    }
    if (isSeq(node)) for (const [step, item] of node.items.entries()) visit(item, { parent: path, step });
    if (isMap(node)) visitMap(node, path);
  };

  const visitMap = (map: YAMLMap, path: Way | undefined): void => {
    const seen = new Set<string>();
    for (const { key, value } of map.items) {
      if (isMergeKey(key)) {
        const message =
          'merge keys (<<) are not accepted: write the fields here; quote << where it is meant as text';
        report('yaml.merge', message, path, key);
        visit(value, path);
        continue;
      }
      if (
        !isScalar(key) ||
        typeof key.value !== 'string' ||
        key.anchor !== undefined ||
        key.tag !== undefined
      ) {
        const node = isScalar(key) || isMap(key) || isSeq(key) || isAlias(key) ? key : map;
        report('yaml.key', 'a key is a plain text', path, node);
        continue;
      }
      const below = { parent: path, step: key.value };
      if (seen.has(key.value)) report('yaml.duplicate_key', 'this field is given twice', below, key);
      seen.add(key.value);
      visit(value, below);
    }
  };

  visit(root, undefined);
}

/** How the walk came here. A path is spelled out only where something is reported. */
type Way = { readonly parent: Way | undefined; readonly step: PathStep };

function pathOf(way: Way | undefined): readonly PathStep[] {
  if (way === undefined) return [];
  const before = pathOf(way.parent);
  return [...before, typeof way.step === 'number' ? way.step : shownKey(way.step, before)];
}

function isMergeKey(key: unknown): key is Scalar {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}
