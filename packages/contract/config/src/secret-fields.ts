import { isMap, isScalar, isSeq, type Scalar } from 'yaml';

import { type Fields, type Type } from './field/type.ts';
import { descriptionOf } from './kind/kinds.ts';
import { rootIdentity, type SourceDocument } from './source.ts';

/** A piece of text that must not be shown. */
export type SecretField = {
  /** Same field, same id, in two versions of a text: the document, the path, and for a key its slot. */
  readonly id: string;
  /** Range in the text. */
  readonly from: number;
  readonly to: number;
  /** For comparing with another version; never for showing. */
  readonly value: string;
};

/** Every secret field of a valid document, free texts in which people put secrets among them. */
export function secretFields(document: SourceDocument, text: string): SecretField[] {
  const kind = document.identity === rootIdentity ? rootIdentity : document.kind;
  const { fields } = descriptionOf(kind)?.options ?? {};
  return fields === undefined ? [] : secretsOf(document, fields, text);
}

function secretsOf(document: SourceDocument, fields: Fields, text: string): SecretField[] {
  const found: SecretField[] = [];
  const visitFields = (node: unknown, known: Fields, id: string): void => {
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const field = Object.hasOwn(known, name) ? known[name] : undefined;
      if (field !== undefined) visit(value, field.type, `${id}/${name}`);
    }
  };
  const visit = (node: unknown, type: Type<unknown>, id: string): void => {
    if (type.secret !== undefined && isScalar(node)) found.push(fieldOf(node, id, text));
    else if (type.fields !== undefined) visitFields(node, type.fields, id);
    else if (isSeq(node)) {
      const by = shownKeyOf(type);
      for (const [index, item] of node.items.entries())
        visit(item, itemOf(type), `${id}/${keyOf(item, by) ?? index}`);
    } else if (isMap(node)) {
      for (const { key, value } of node.items)
        visit(value, itemOf(type), `${id}/${isScalar(key) ? String(key.value) : ''}`);
    }
  };
  visitFields(document.map, fields, document.identity);
  return found;
}

/** What is below a secret is as secret: a foreign mapping, say. */
function itemOf({ item, secret }: Type<unknown>): Type<unknown> {
  return { says: '', json: {}, read: () => undefined, ...item, ...(secret === undefined ? {} : { secret }) };
}

/** The field that tells items apart; none where it is hidden itself: a version without secrets must have the same ids. */
function shownKeyOf({ merge, item }: Type<unknown>): string | undefined {
  const by = typeof merge === 'object' ? merge.by : undefined;
  return by !== undefined && item?.fields?.[by]?.type.secret !== undefined ? undefined : by;
}

/** Items are told apart by their key, so that a new one in front of them does not make all of them look changed. */
function keyOf(item: unknown, by: string | undefined): string | undefined {
  const key = by !== undefined && isMap(item) ? item.get(by) : undefined;
  return typeof key === 'string' || typeof key === 'number' ? `${by} ${key}` : undefined;
}

function fieldOf(node: Scalar, id: string, text: string): SecretField {
  const [from, valueEnd] = node.range ?? [0, 0];
  const source = text.slice(from, valueEnd).trimEnd(); // a block scalar ends with its line break
  return { id, from, to: from + source.length, value: String(node.value) };
}
