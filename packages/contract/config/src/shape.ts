import { isMap, isScalar, isSeq } from 'yaml';
import { type z } from 'zod';

import { Place } from './place.ts';
import { schemas, type ShapedKind } from './schema/kinds.ts';
import { fieldsNotOffered } from './schema/not-offered.ts';
import { shownKey } from './shown-key.ts';

type Issue = z.core.$ZodIssue;

/** Reports every missing, unknown or wrongly typed field of a document. Values are never quoted. */
export function checkShape(root: Place, kind: ShapedKind): void {
  const result = schemas[kind].safeParse(valueOf(root.node));
  if (result.success) return;
  for (const issue of result.error.issues) reportIssue(root, issue);
}

function reportIssue(root: Place, issue: Issue): void {
  if (issue.code === 'unrecognized_keys') {
    const parent = resolve(root, issue.path).at;
    for (const key of issue.keys) reportUnknown(parent, key);
    return;
  }
  const { at, missing } = resolve(root, issue.path);
  if (missing !== undefined) {
    at.problemAt(missing, 'required', 'required and missing');
    return;
  }
  const [code, message] = describe(issue, at);
  at.problem(code, message);
}

function reportUnknown(parent: Place, key: string): void {
  const shown = shownKey(key, parent.path);
  if (fieldsNotOffered.has(key))
    parent.problemAtKey(key, shown, 'not_offered', `${key} is not offered by this version`);
  else
    parent.problemAtKey(
      key,
      shown,
      'unknown_field',
      shown === '?' ? 'unknown field' : `unknown field ${shown}`,
    );
}

/** Follows an issue's path as far as the document has it. */
function resolve(root: Place, path: readonly PropertyKey[]): { at: Place; missing?: string } {
  let at = root;
  for (const step of path) {
    const next = typeof step === 'number' ? at.items()[step] : at.get(String(step));
    if (next === undefined) return { at, missing: String(step) };
    at = next;
  }
  return { at };
}

function describe(issue: Issue, at: Place): [code: string, message: string] {
  if (at.scalar()?.value === null) return ['wrong_type', 'empty: give a value or leave the field out'];
  if (issue.code === 'invalid_type') {
    return ['wrong_type', `must be ${article(issue.expected)}${hint(issue.expected, at)}`];
  }
  if (issue.code === 'invalid_union') return ['wrong_type', 'must be a size, such as 50GiB'];
  if (issue.code === 'invalid_value')
    return ['invalid_value', `must be ${issue.values.map(String).join(' or ')}`];
  return ['invalid_value', 'not an accepted value'];
}

const articles: Readonly<Record<string, string>> = {
  string: 'a text',
  object: 'a mapping of fields',
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
};

function article(expected: string): string {
  return articles[expected] ?? expected;
}

function hint(expected: string, at: Place): string {
  const quoted = expected === 'string' && at.scalar() !== undefined;
  return quoted ? '; put it in quotes' : '';
}

/** Plain data for the schema. Own code because numbers, keys and prototypes must come through unchanged. */
function valueOf(node: unknown): unknown {
  if (isSeq(node)) return node.items.map((item) => valueOf(item));
  if (isMap(node)) {
    return Object.fromEntries(
      node.items.map(({ key, value }) => [isScalar(key) ? String(key.value) : '', valueOf(value)]),
    );
  }
  return isScalar(node) ? node.value : null;
}
