import { isMap, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';

import { type Problems } from '../problems.ts';
import { identityOf, rootIdentity, textOf } from '../source.ts';
import { isEqual, pairOf, setValue } from './nodes.ts';
import { type Operation } from './operation.ts';
import { type PatchTarget } from './target.ts';

/**
 * Carries out operations in order, up to the first that does not apply, which is reported.
 *
 * @param ignoreMissing to remove what is not there is no problem.
 */
export function applyOperations(
  target: PatchTarget,
  operations: readonly Operation[],
  problems: Problems,
  ignoreMissing: boolean,
): void {
  for (const operation of operations) {
    if (problems.count > 0) return;
    const refused = apply(target, operation);
    const isIgnored = ignoreMissing && operation.op === 'remove' && isAbsence(refused);
    if (refused !== undefined && !isIgnored)
      operation.at.problemAt(refused.field, refused.code, refused.message);
  }
}

/** No such document is as good as no such field. */
function isAbsence(refused: Refusal | undefined): boolean {
  return refused?.code === 'patch.path_missing' || refused?.code === 'patch.document';
}

type Refusal = { readonly field: string; readonly code: string; readonly message: string };

function apply(target: PatchTarget, operation: Operation): Refusal | undefined {
  const { path } = operation;
  if (operation.op === 'test') {
    return withPlace(target, path, 'path', (place) =>
      isEqual(read(place), operation.value) ? undefined : differs,
    );
  }
  if (operation.op === 'add') return add(target, path, operation.value.clone() as Node);
  if (operation.op === 'replace') return replace(target, path, operation.value.clone() as Node);
  if (operation.op === 'remove') return remove(target, path, 'path');
  return transfer(target, operation);
}

function transfer(
  target: PatchTarget,
  { op, from, path }: Extract<Operation, { readonly op: 'move' | 'copy' }>,
): Refusal | undefined {
  if (op === 'move' && path.length > from.length && from.every((step, index) => path[index] === step))
    return { field: 'path', code: 'patch.into_itself', message: 'nothing can be moved into itself' };
  return withPlace(target, from, 'from', (place) => {
    const value = (read(place) as Node).clone() as Node;
    return (op === 'move' ? remove(target, from, 'from') : undefined) ?? add(target, path, value);
  });
}

const differs: Refusal = { field: 'value', code: 'patch.test', message: 'the value there is another' };

/** A document, or a step into a mapping or list of one. */
type Place =
  | { readonly kind: 'document'; readonly identity: string; readonly parent: YAMLMap }
  | { readonly kind: 'field'; readonly identity: string; readonly parent: YAMLMap; readonly name: string }
  | { readonly kind: 'item'; readonly identity: string; readonly parent: YAMLSeq; readonly index: number };

function withPlace(
  target: PatchTarget,
  path: readonly string[],
  field: string,
  use: (place: Place) => Refusal | undefined,
): Refusal | undefined {
  const place = locate(target, path, field);
  if ('code' in place) return place;
  return read(place) === undefined ? missing(field) : use(place);
}

function read(place: Place): unknown {
  if (place.kind === 'document') return place.parent;
  if (place.kind === 'field') return pairOf(place.parent, place.name)?.value ?? undefined;
  return place.parent.items[place.index];
}

function add(target: PatchTarget, path: readonly string[], value: Node): Refusal | undefined {
  const [first = ''] = path;
  if (path.length === 1 && !target.has(first) && /^[A-Z][A-Za-z0-9]*(?:\/|$)/u.test(first)) {
    const map = isMap(value) ? value : undefined;
    if (first === identityOf(textOf(map, 'kind') ?? '', textOf(map, 'name'))) target.add(first, value);
    else
      return {
        field: 'value',
        code: 'patch.document',
        message: 'its kind and name are not those of the path',
      };
    return undefined;
  }
  const place = locate(target, path, 'path');
  if ('code' in place) return place;
  if (place.kind === 'document') {
    if (!isMap(value)) return { field: 'value', code: 'wrong_type', message: 'a document is a mapping' };
    place.parent.items = value.items;
  } else if (place.kind === 'field') setValue(place.parent, place.name, value);
  else if (place.index > place.parent.items.length) return missing('path');
  else place.parent.items.splice(place.index, 0, value);
  target.touch(place.identity);
  return undefined;
}

function replace(target: PatchTarget, path: readonly string[], value: Node): Refusal | undefined {
  return withPlace(target, path, 'path', (place) => {
    if (place.kind !== 'item') return add(target, path, value);
    place.parent.items[place.index] = value;
    target.touch(place.identity);
    return undefined;
  });
}

function remove(target: PatchTarget, path: readonly string[], field: string): Refusal | undefined {
  return withPlace(target, path, field, (place) => {
    if (place.kind === 'document') target.remove(place.identity);
    else if (place.kind === 'field') place.parent.delete(place.name);
    else place.parent.items.splice(place.index, 1);
    target.touch(place.identity);
    return undefined;
  });
}

/** Follows a path up to its last step, which need not be there. */
function locate(target: PatchTarget, path: readonly string[], field: string): Place | Refusal {
  const [first = '', ...rest] = path;
  const named = first !== rootIdentity && target.has(first);
  const identity = named ? first : target.implicit;
  const map = identity === undefined ? undefined : target.map(identity);
  if (identity === undefined || map === undefined) {
    const message = 'say which document: /UserVolumeConfig~1data/mount/secure';
    return { field, code: 'patch.document', message };
  }
  const steps = named ? rest : path;
  if (steps.length === 0) return { kind: 'document', identity, parent: map };
  let parent: unknown = map;
  for (const step of steps.slice(0, -1)) parent = child(parent, step);
  const last = steps.at(-1) ?? '';
  if (isMap(parent)) return { kind: 'field', identity, parent, name: last };
  if (!isSeq(parent)) return missing(field);
  const index = last === '-' ? parent.items.length : indexOf(last);
  return index === undefined ? missing(field) : { kind: 'item', identity, parent, index };
}

function child(parent: unknown, step: string): unknown {
  if (isMap(parent)) return pairOf(parent, step)?.value;
  const index = indexOf(step);
  return isSeq(parent) && index !== undefined ? parent.items[index] : undefined;
}

function indexOf(step: string): number | undefined {
  return /^(?:0|[1-9]\d{0,8})$/u.test(step) ? Number(step) : undefined;
}

function missing(field: string): Refusal {
  return { field, code: 'patch.path_missing', message: 'there is nothing at this path' };
}
