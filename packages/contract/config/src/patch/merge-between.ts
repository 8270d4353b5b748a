import { Document, isMap, isScalar, isSeq, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';

import { type Type } from '../field/type.ts';
import { type SourceDocument } from '../source.ts';
import { copy } from './copy.ts';
import { describedBy, fieldType, itemKey } from './described.ts';
import { isEqual, pairOf } from './nodes.ts';

/** The documents that, merged into the ones, make the others of them; what they can not say is lost. */
export function mergeBetween(old: readonly SourceDocument[], current: readonly SourceDocument[]): string {
  const former = new Map(old.map((document) => [document.identity, document]));
  const kept = new Set(current.map(({ identity }) => identity));
  const removed = old
    .filter(({ identity }) => !kept.has(identity))
    .map(({ map }) => [...head(map), directive('delete')]);
  const changed = current.flatMap(({ identity, map }) => {
    const present = former.get(identity)?.map;
    if (present === undefined) return [copy(map).items];
    const items = mapBetween(present, map, describedBy(identity)).items;
    return items.length === 0 ? [] : [[...head(map), ...items]];
  });
  return [...removed, ...changed].map((items) => textOf(items)).join('---\n');
}

/** The fields that tell a document from others. */
function head(map: YAMLMap): Pair[] {
  const names = pairOf(map, 'kind') === undefined ? ['version'] : ['apiVersion', 'kind', 'name'];
  return names.flatMap((name) => {
    const pair = pairOf(map, name);
    return pair === undefined ? [] : [copy(pair) as Pair];
  });
}

function mapBetween(before: YAMLMap, after: YAMLMap, type: Type<unknown> | undefined): YAMLMap {
  const map = new YAMLMap();
  for (const { key } of before.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (pairOf(after, name) === undefined) map.items.push(new Pair(new Scalar(name), new Scalar(null)));
  }
  for (const { key, value } of after.items as Pair<Scalar, Node>[]) {
    const name = String(key.value);
    const present = pairOf(before, name)?.value ?? undefined;
    if (present !== undefined && isEqual(present, value)) continue;
    map.items.push(new Pair(new Scalar(name), valueBetween(present, value, fieldType(type, name))));
  }
  return map;
}

function valueBetween(before: unknown, after: Node | null, type: Type<unknown> | undefined): unknown {
  if (after === null || type?.merge === 'replace') return after === null ? null : copy(after);
  if (isMap(before) && isMap(after)) return mapBetween(before, after, type);
  return isSeq(before) && isSeq(after) ? listBetween(before, after, type) : copy(after);
}

/** What is added where that is enough; item by item where they have names; else the whole list in the place of the other. */
function listBetween(before: YAMLSeq, after: YAMLSeq, type: Type<unknown> | undefined): YAMLSeq {
  const by = typeof type?.merge === 'object' ? type.merge.by : undefined;
  const list = new YAMLSeq();
  if (by !== undefined) {
    const keyOf = (item: unknown): Scalar | undefined => itemKey(item, by, type?.item);
    const find = (items: YAMLSeq, key: Scalar | undefined): unknown =>
      items.items.find((one) => isEqual(keyOf(one), key));
    for (const item of before.items)
      if (find(after, keyOf(item)) === undefined)
        list.items.push(keyed(by, keyOf(item), [directive('delete')]));
    for (const item of after.items as Node[]) {
      const present = find(before, keyOf(item));
      if (!isMap(present) || !isMap(item)) list.items.push(copy(item));
      else if (!isEqual(present, item)) {
        const { items } = mapBetween(present, item, type?.item) as { items: Pair[] };
        list.items.push(
          keyed(
            by,
            keyOf(item),
            items.filter(({ key }) => !isScalar(key) || key.value !== by),
          ),
        );
      }
    }
    const order = after.items.filter((item) => find(before, keyOf(item)) !== undefined);
    const kept = before.items.filter((item) => find(after, keyOf(item)) !== undefined);
    if (
      isEqual(order.map(keyOf), kept.map(keyOf)) &&
      order.every((item, index) => after.items[index] === item)
    )
      return list;
  } else if (before.items.every((item, index) => isEqual(item, after.items[index]))) {
    list.items = after.items.slice(before.items.length).map((item) => copy(item as Node));
    return list;
  }
  const marker = new YAMLMap();
  marker.items.push(directive('replace'));
  list.items = [marker, ...after.items.map((item) => copy(item as Node))];
  return list;
}

function keyed(by: string, key: Scalar | undefined, items: readonly Pair[]): YAMLMap {
  const map = new YAMLMap();
  map.items = [new Pair(new Scalar(by), key === undefined ? null : copy(key)), ...items];
  return map;
}

function directive(word: 'delete' | 'replace'): Pair {
  return new Pair(new Scalar('$patch'), new Scalar(word));
}

function textOf(items: readonly Pair[]): string {
  const map = new YAMLMap();
  map.items = [...items];
  return new Document(map).toString({ lineWidth: 0 });
}
