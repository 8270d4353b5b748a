import { Document, LineCounter, type Node } from 'yaml';

import { Place } from '../place.ts';
import { Problems } from '../problems.ts';
import { type Field } from './type.ts';

const read = new WeakMap<Field<unknown>, unknown>();

/** The value of a field that is left out, read once from what would be written. */
export function written(field: Field<unknown>): unknown {
  if (!read.has(field)) {
    const problems = new Problems(new LineCounter(), undefined);
    const node = new Document(field.fallback).contents as Node;
    const value = field.type.read(Place.root(node, '', problems));
    if (value === undefined)
      throw new TypeError(`no value to fall back on: ${JSON.stringify(problems.list())}`);
    read.set(field, value);
  }
  return read.get(field);
}
