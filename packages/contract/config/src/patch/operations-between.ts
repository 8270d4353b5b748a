import { Document, isScalar, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';

import { rootIdentity, type SourceDocument } from '../source.ts';
import { copy } from './copy.ts';
import { isEqual, pairOf } from './nodes.ts';
import { orderedDocuments } from './ordered-documents.ts';

/**
 * Operations (RFC 6902) that make one list of documents of another, field by field of each document; undefined where the root
 * document comes or goes, which no operation can say.
 */
export function operationsBetween(
  old: readonly SourceDocument[],
  current: readonly SourceDocument[],
): string | undefined {
  const [former, latter] = [byIdentity(old), byIdentity(current)];
  if (former.has(rootIdentity) !== latter.has(rootIdentity)) return undefined;
  // Documents whose order counts go and come again, in the order that is wanted.
  const again =
    orderedDocuments(old).join('\n') === orderedDocuments(current).join('\n')
      ? []
      : orderedDocuments(current);
  const isNew = (identity: string): boolean => !former.has(identity) || again.includes(identity);
  const list = new YAMLSeq();
  for (const { identity } of old)
    if (!latter.has(identity) || again.includes(identity)) list.items.push(operation('remove', [identity]));
  for (const { identity, map } of current) {
    const present = former.get(identity)?.map;
    if (present === undefined || isNew(identity)) list.items.push(operation('add', [identity], map));
    else list.items.push(...fields(identity === rootIdentity ? [] : [identity], present, map));
  }
  return new Document(list).toString({ lineWidth: 0 });
}

function byIdentity(documents: readonly SourceDocument[]): ReadonlyMap<string, SourceDocument> {
  return new Map(documents.map((document) => [document.identity, document]));
}

function fields(path: readonly string[], before: YAMLMap, after: YAMLMap): YAMLMap[] {
  const found: YAMLMap[] = [];
  for (const name of namesOf(before))
    if (pairOf(after, name) === undefined) found.push(operation('remove', [...path, name]));
  for (const name of namesOf(after)) {
    const [present, wanted] = [pairOf(before, name)?.value, pairOf(after, name)?.value];
    if (wanted === undefined || wanted === null || (present !== undefined && isEqual(present, wanted)))
      continue;
    found.push(operation(present === undefined ? 'add' : 'replace', [...path, name], wanted));
  }
  return found;
}

function namesOf(map: YAMLMap): string[] {
  return map.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
}

function operation(op: 'add' | 'remove' | 'replace', path: readonly string[], value?: Node): YAMLMap {
  const map = new YAMLMap();
  const pointer = path.map((one) => `/${one.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  map.items = [
    new Pair(new Scalar('op'), new Scalar(op)),
    new Pair(new Scalar('path'), new Scalar(pointer)),
    ...(value === undefined ? [] : [new Pair(new Scalar('value'), copy(value))]),
  ];
  return map;
}
