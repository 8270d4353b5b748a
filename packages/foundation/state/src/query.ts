import type { Metadata } from './resource.ts';

/** A condition on one label. `not` turns it round; a label that is missing equals nothing and is in no list. */
export type LabelTerm = { readonly label: string; readonly not?: boolean } & (
  | { readonly exists: true }
  | { readonly equals: string }
  | { readonly in: readonly string[] }
);

/** A condition on the id. A pattern may match anywhere unless it is anchored. */
export type IdTerm = { readonly not?: boolean } & (
  | { readonly in: readonly string[] }
  | { readonly prefix: string }
  | { readonly matches: RegExp }
);

/** Which resources of a kind. All of what is given must hold. */
export type Query = {
  readonly ids?: readonly IdTerm[];
  /** All of these labels. */
  readonly labels?: readonly LabelTerm[];
  /** At least one of these lists, each of them as a whole. */
  readonly anyOf?: readonly (readonly LabelTerm[])[];
};

/** Whether a resource is one that the query asks for; everything is without a query. */
export function matches({ ids = [], labels = [], anyOf }: Query, metadata: Metadata): boolean {
  return (
    ids.every((term) => matchesId(term, metadata.id)) &&
    labels.every((term) => matchesLabel(term, metadata.labels)) &&
    (anyOf === undefined || anyOf.some((terms) => terms.every((term) => matchesLabel(term, metadata.labels))))
  );
}

function matchesLabel(term: LabelTerm, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, term.label) ? labels[term.label] : undefined;
  return holds(value, term) !== (term.not === true);
}

function holds(value: string | undefined, term: LabelTerm): boolean {
  if (value === undefined) return false;
  if ('equals' in term) return value === term.equals;
  return 'in' in term ? term.in.includes(value) : true;
}

function matchesId(term: IdTerm, id: string): boolean {
  return found(id, term) !== (term.not === true);
}

function found(id: string, term: IdTerm): boolean {
  if ('in' in term) return term.in.includes(id);
  if ('prefix' in term) return id.startsWith(term.prefix);
  term.matches.lastIndex = 0; // a global or sticky pattern goes on where it was
  return term.matches.test(id);
}
