import { readdir } from 'node:fs/promises';

import test from 'ava';

import { parse } from '@nodecore/config';
import { written } from '../../src/field/fallback.ts';
import { type Fields, type Type } from '../../src/field/type.ts';
import { kinds } from '../../src/kind/kinds.ts';
import { referencePage } from '../../src/reference.ts';

test('the example of each kind is valid', (t) => {
  for (const [kind, { options }] of kinds) {
    t.notThrows(() => {
      parse(`apiVersion: v1alpha1\nkind: ${kind}\n${options.example}`)[Symbol.dispose]();
    }, kind);
  }
});

test('each field says what it is for, and what it falls back on is a value', (t) => {
  const visit = (type: Type<unknown>, path: string): void => {
    if (type.fields !== undefined) visitAll(type.fields, path);
    if (type.item !== undefined) visit(type.item, `${path}[]`);
  };
  const visitAll = (fields: Fields, path: string): void => {
    for (const [name, field] of Object.entries(fields)) {
      t.true(field.about.length > 3, `${path}.${name}`);
      if (field.need === 'fallback') t.notThrows(() => written(field), `${path}.${name}`);
      visit(field.type, `${path}.${name}`);
    }
  };
  for (const [kind, { about, options }] of kinds) {
    t.true(about.length > 10, kind);
    visitAll(options.fields, kind);
  }
});

test('each kind that has a file has a place in the list', async (t) => {
  const directory = new URL('../../src/kind/', import.meta.url);
  const files = await readdir(directory, { recursive: true });
  const listed = ['machine', ...kinds.keys()];
  for (const file of files.filter((name) => name.includes('/') && name.endsWith('.ts'))) {
    const module = (await import(new URL(file, directory).href)) as Record<string, { kind?: unknown }>;
    for (const { kind } of Object.values(module))
      if (typeof kind === 'string') t.true(listed.includes(kind), file);
  }
});

test('a kind that the node does not act on yet says so at each of its documents', (t) => {
  const awaiting = [...kinds].filter(([, { options }]) => options.awaits !== undefined);
  t.true(awaiting.length > 0);
  for (const [kind, { options }] of kinds) {
    using configuration = parse(`apiVersion: v1alpha1\nkind: ${kind}\n${options.example}`);
    const places = configuration.warnings.filter(({ code }) => code === 'kind.no_effect');
    const expected = options.awaits === undefined ? [] : [{ path: 'kind', line: 2, column: 7 }];
    t.deepEqual(
      places.map(({ path, line, column }) => ({ path, line, column })),
      expected,
      kind,
    );
    const isSaid = referencePage(kind as Parameters<typeof referencePage>[0]).includes('does not act on it');
    t.is(isSaid, options.awaits !== undefined, `the page of ${kind}`);
  }
});
