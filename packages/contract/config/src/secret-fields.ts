import { isMap, isScalar, isSeq } from 'yaml';
import { z, type ZodType } from 'zod';

import { isKind, schemas } from './schema/kinds.ts';
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

/** Every secret field of a valid document, by the types of its schema. */
export function secretFields(document: SourceDocument, text: string): SecretField[] {
  const found: SecretField[] = [];
  const visit = (node: unknown, schema: ZodType | undefined, id: string): void => {
    const type = schema instanceof z.ZodOptional ? (schema.unwrap() as ZodType) : schema;
    if (isScalar(node) && type?.meta()?.['writeOnly'] === true) {
      const [from, valueEnd] = node.range ?? [0, 0];
      const source = text.slice(from, valueEnd).trimEnd(); // a block scalar ends with its line break
      found.push({ id, from, to: from + source.length, value: String(node.value) });
    } else if (isMap(node) && type instanceof z.ZodObject) {
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : '';
        visit(value, type.shape[name] as ZodType | undefined, `${id}/${name}`);
      }
    } else if (isSeq(node) && type instanceof z.ZodArray) {
      for (const [index, item] of node.items.entries())
        visit(item, type.element as ZodType, `${id}/${slotOf(item) ?? index}`);
    }
  };
  const kind = document.identity === rootIdentity ? rootIdentity : document.kind;
  visit(document.map, isKind(kind) ? schemas[kind] : undefined, document.identity);
  return found;
}

/** Keys are told apart by slot, so that a new key in front of them does not make all of them look changed. */
function slotOf(item: unknown): string | undefined {
  const slot = isMap(item) ? item.get('slot') : undefined;
  return typeof slot === 'number' ? `slot ${slot}` : undefined;
}
