import { optional, type Field, type Fields } from '../field/type.ts';

type Described = { readonly options: { readonly fields: Fields } };

/** What the root says with the same words as a document: the document's own description of it, which may be left out. */
export function fieldOf(
  { options }: Described,
  name: string,
): Field<unknown> & { readonly need: 'optional' } {
  const field = options.fields[name];
  if (field === undefined) throw new TypeError(`no such field: ${name}`);
  return optional(field.about, field.type);
}

/** Several of them. */
export function fieldsOf<const Name extends string>(
  kind: Described,
  ...names: readonly Name[]
): Readonly<Record<Name, ReturnType<typeof fieldOf>>> {
  return Object.fromEntries(names.map((name) => [name, fieldOf(kind, name)])) as Readonly<
    Record<Name, ReturnType<typeof fieldOf>>
  >;
}
