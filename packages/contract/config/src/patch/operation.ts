import { isMap, isScalar, type Node, type YAMLMap, type YAMLSeq } from 'yaml';

import { Place } from '../place.ts';
import { type Problems } from '../problems.ts';
import { pairOf } from './nodes.ts';
import { parsePointer } from './pointer.ts';

/** One operation of RFC 6902. */
export type Operation = { readonly at: Place; readonly path: readonly string[] } & (
  | { readonly op: 'add'; readonly value: Node }
  | { readonly op: 'replace'; readonly value: Node }
  | { readonly op: 'test'; readonly value: Node }
  | { readonly op: 'remove' }
  | { readonly op: 'move' | 'copy'; readonly from: readonly string[] }
);

/** Reads a list of operations; each that is not well formed is reported and left out. */
export function readOperations(list: YAMLSeq, problems: Problems): Operation[] {
  return Place.root(list, '', problems)
    .items()
    .flatMap((item) => readOperation(item) ?? []);
}

function readOperation(at: Place): Operation | undefined {
  if (!isMap(at.node)) {
    at.problem('wrong_type', 'an operation is a mapping with op and path');
    return undefined;
  }
  const op = at.get('op')?.text();
  const path = readPointer(at, 'path');
  switch (op) {
    case 'add':
    case 'replace':
    case 'test': {
      const value = valueOf(at.node);
      if (value === undefined) at.problemAt('value', 'required', `${op} needs a value`);
      return path === undefined || value === undefined ? undefined : { at, op, path, value };
    }
    case 'remove':
      return path === undefined ? undefined : { at, op, path };
    case 'move':
    case 'copy': {
      const from = readPointer(at, 'from');
      return path === undefined || from === undefined ? undefined : { at, op, path, from };
    }
    case undefined:
    default:
      at.problemAt('op', 'patch.operation', 'must be add, remove, replace, move, copy or test');
      return undefined;
  }
}

function valueOf(map: YAMLMap): Node | undefined {
  const value = pairOf(map, 'value')?.value;
  return value === null || (isScalar(value) && value.value === null && value.source === '')
    ? undefined
    : value;
}

function readPointer(at: Place, field: 'path' | 'from'): readonly string[] | undefined {
  const text = at.get(field)?.text();
  if (text === undefined) {
    at.problemAt(field, 'required', 'a path is required, such as /UserVolumeConfig~1data/mount/secure');
    return undefined;
  }
  const pointer = parsePointer(text);
  if (pointer === undefined) {
    at.problemAt(field, 'patch.pointer', 'a path begins with /, and has ~1 for a slash and ~0 for a tilde');
  }
  return pointer;
}
