import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq, type Scalar } from 'yaml';

import { type Type } from '../field/type.ts';
import { type PathStep, type Problems } from '../problems.ts';
import { rootIdentity } from '../source.ts';
import { describedBy, fieldType, itemKey } from './described.ts';
import { isEqual, isNull, pairOf, setValue } from './nodes.ts';
import { type MergeDocument } from './read-patch.ts';
import { type PatchTarget } from './target.ts';

const directiveKey = '$patch';
type Directive = 'delete' | 'replace';

type Context = {
  readonly document: string;
  readonly problems: Problems;
  /** What the description says of what is merged; undefined where it says nothing. */
  readonly type: Type<unknown> | undefined;
};

/** Merges one document of a patch into the one of the same kind and name, or adds it. @param ignoreMissing to delete none is no problem. */
export function mergeDocument(
  target: PatchTarget,
  patch: MergeDocument,
  problems: Problems,
  ignoreMissing: boolean,
): void {
  const { identity, map } = patch;
  const context = { document: identity, problems, type: describedBy(identity) };
  const present = target.map(identity);
  const directive = directiveOf(map, [], context);
  if (directive === 'delete') {
    if (present !== undefined) target.remove(identity);
    else if (!ignoreMissing)
      report(context, map, [], 'patch.document_missing', 'there is no such document to delete');
    return;
  }
  if (present === undefined) {
    const isWhole = identity === rootIdentity ? pairOf(map, 'version') : pairOf(map, 'kind');
    if (isWhole === undefined) {
      const message = 'a document begins with kind and name, or with version for the root document';
      report(context, map, [], 'kind.required', message);
      return;
    }
    target.add(identity, pruned(map, [], context));
    return;
  }
  const changed =
    directive === 'replace'
      ? replaceAll(present, pruned(map, [], context))
      : mergeMap(present, map, [], context);
  if (changed) target.touch(identity);
}

function mergeMap(target: YAMLMap, patch: YAMLMap, path: readonly PathStep[], context: Context): boolean {
  let changed = false;
  for (const { key, value } of patch.items as Pair<Node, Node | null>[]) {
    const name = isScalar(key) ? String(key.value) : '';
    if (name === directiveKey) continue;
    const below = { ...context, type: fieldType(context.type, name) };
    if (mergeField(target, [name, value], [...path, name], below)) changed = true;
  }
  return changed;
}

function mergeField(
  target: YAMLMap,
  [name, value]: readonly [name: string, value: Node | null],
  path: readonly PathStep[],
  context: Context,
): boolean {
  if (value === null || isNull(value)) return target.delete(name);
  const directive = isMap(value) ? directiveOf(value, path, context) : undefined;
  if (directive === 'delete') return target.delete(name);
  const present = pairOf(target, name)?.value;
  const replaces = context.type?.merge === 'replace';
  if (isMap(value) && isMap(present)) {
    return directive === 'replace' || replaces
      ? replaceAll(present, pruned(value, path, context))
      : mergeMap(present, value, path, context);
  }
  if (isSeq(value) && isSeq(present) && !replaces && !isReplacing(value))
    return mergeList(present, value, path, context);
  const wanted = pruned(value, path, context);
  if (present !== undefined && isEqual(present, wanted)) return false;
  setValue(target, name, wanted);
  return true;
}

/** Items are told apart by the field that the description names; where it names none, a list has each item once. */
function mergeList(target: YAMLSeq, patch: YAMLSeq, path: readonly PathStep[], context: Context): boolean {
  const { type } = context;
  const by = typeof type?.merge === 'object' ? type.merge.by : undefined;
  const below = { ...context, type: type?.item };
  const keyOf = (item: unknown): Scalar | undefined =>
    by === undefined ? undefined : itemKey(item, by, type?.item);
  let changed = false;
  for (const [index, item] of (patch.items as Node[]).entries()) {
    const at = [...path, index];
    const key = keyOf(item);
    const directive = isMap(item) ? directiveOf(item, at, context) : undefined;
    const found = target.items.findIndex((one) =>
      key === undefined ? isEqual(one, item) : isEqual(keyOf(one), key),
    );
    const present = target.items[found];
    if (directive !== undefined && key === undefined) {
      const message =
        by === undefined
          ? 'items of this list have no name: use a JSON patch, or - $patch: replace as the first of all of them'
          : `which one? its ${by} says so`;
      report(context, item, at, 'patch.directive', message);
    } else if (directive === 'delete') {
      if (found !== -1) target.items.splice(found, 1);
      changed ||= found !== -1;
    } else if (found === -1) {
      target.add(pruned(item, at, below));
      changed = true;
    } else if (isMap(present) && isMap(item) && key !== undefined) {
      const merged =
        directive === 'replace'
          ? replaceAll(present, pruned(item, at, below))
          : mergeMap(present, item, at, below);
      changed ||= merged;
    }
  }
  return changed;
}

/** A list whose first item is `$patch: replace` and nothing else takes the place of the one that is there. */
function isReplacing(list: YAMLSeq): boolean {
  return isMarker(list.items[0]);
}

function isMarker(item: unknown): boolean {
  return isMap(item) && item.items.length === 1 && item.get(directiveKey) === 'replace';
}

function replaceAll(target: YAMLMap, by: Node): boolean {
  if (!isMap(by) || isEqual(target, by)) return false;
  target.items = by.items;
  return true;
}

/** A copy of what is to be added, without what only says that something is not wanted. */
function pruned(node: Node, path: readonly PathStep[], context: Context): Node {
  const copy = node.clone() as Node;
  prune(copy, path, context);
  return copy;
}

function prune(node: Node, path: readonly PathStep[], context: Context): void {
  if (isSeq(node)) {
    if (isReplacing(node)) node.items.shift();
    for (const [index, item] of (node.items as Node[]).entries()) {
      if (isMap(item)) directiveOf(item, [...path, index], context);
      prune(item, [...path, index], context);
    }
    node.items = node.items.filter((item) => !isDeleted(item));
  }
  if (!isMap(node)) return;
  for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
    const name = isScalar(key) ? String(key.value) : '';
    if (isMap(value)) directiveOf(value, [...path, name], context);
    if (value !== null && name !== directiveKey) prune(value, [...path, name], context);
  }
  node.items = node.items.filter(
    ({ key, value }) =>
      !(isScalar(key) && key.value === directiveKey && path.length > 0) &&
      !isNull(value) &&
      value !== null &&
      !isDeleted(value),
  );
  node.delete(directiveKey);
}

function isDeleted(node: unknown): boolean {
  return isMap(node) && node.get(directiveKey) === 'delete';
}

function directiveOf(map: YAMLMap, path: readonly PathStep[], context: Context): Directive | undefined {
  const value = pairOf(map, directiveKey)?.value;
  if (value === undefined) return undefined;
  const text = isScalar(value) ? value.value : undefined;
  if (text === 'delete' || text === 'replace') return text;
  report(context, value, [...path, directiveKey], 'patch.directive', 'must be delete or replace');
  return undefined;
}

function report(
  { document, problems }: Context,
  node: unknown,
  path: readonly PathStep[],
  code: string,
  message: string,
): void {
  const offset = (isMap(node) || isSeq(node) || isScalar(node) ? node.range?.[0] : undefined) ?? 0;
  problems.add({ code, message, path, document, offset });
}
