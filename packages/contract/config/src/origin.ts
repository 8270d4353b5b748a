import { resolve } from './legacy/resolve.ts';
import { Place } from './place.ts';
import { type PathStep } from './problems.ts';
import { readSource } from './source.ts';

/** Where a value is from: a line of a document, or what holds without one. */
export type Origin =
  | {
      readonly from: 'document';
      /** `kind/name`; `machine` where a field of the root says it that the document has replaced. */
      readonly document: string;
      /** Counted from 1. */
      readonly line: number;
      readonly column: number;
    }
  | { readonly from: 'default' };

/**
 * Where the field of a document stands in a text. The text is read again: a tree that was kept would keep its secrets where
 * nobody wipes them.
 */
export function originIn(text: string, identity: string, path: readonly PathStep[]): Origin {
  const { documents, problems } = readSource(text, undefined);
  const document = resolve(documents).documents.find((one) => one.identity === identity);
  if (document === undefined) return { from: 'default' };
  const found = Place.root(document.map, identity, problems).find(path);
  if (found === undefined) return { from: 'default' };
  const { offset } = found;
  const written = documents.findLast((one) => one.offset <= offset)?.identity ?? identity;
  return { from: 'document', document: written, ...problems.place(offset) };
}
