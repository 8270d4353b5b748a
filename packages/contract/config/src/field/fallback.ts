import { Document, LineCounter, type Node } from 'yaml';

import { Place } from '../place.ts';
import { Problems } from '../problems.ts';
import { type Field, type Fields } from './type.ts';

const read = new WeakMap<Field<unknown>, unknown>();

/** The value of a field that is left out, read once from what would be written. */
export function written(field: Field<unknown>): unknown {
  if (!read.has(field)) {
    const problems = new Problems('', new LineCounter(), undefined);
    const node = new Document(field.fallback).contents as Node;
    const value = field.type.read(Place.root(node, '', problems));
    if (value === undefined)
      throw new TypeError(`no value to fall back on: ${JSON.stringify(problems.list())}`);
    read.set(field, value);
  }
  return read.get(field);
}

/** What an empty object comes to; undefined where a field has to be there, or none falls back on anything. */
export function withoutDocument(fields: Fields): Readonly<Record<string, unknown>> | undefined {
  const all = Object.entries(fields);
  if (all.some(([, { need }]) => need === 'required')) return undefined;
  const fallen = all.filter(([, { need }]) => need === 'fallback');
  return fallen.length === 0
    ? undefined
    : Object.fromEntries(fallen.map(([name, field]) => [name, written(field)]));
}
