import { readFile } from 'node:fs/promises';

import { namesOf, resolveType } from '@nodecore/api';
import { Store } from '@nodecore/state';
import test from 'ava';

import { Catalog } from '../src/resources/catalog.ts';
import { machineConfigs } from '../src/configuration/definitions.ts';
import { disks } from '../src/discovery/definitions.ts';
import { definitions } from '../src/features.ts';
import { kindOf, resourceDefinitions } from '../src/resources/definitions.ts';
import { exampleOf, withTypeTable } from '../src/resources/type-table.ts';

const catalog = new Catalog(definitions);

test('no name means two types', (t) => {
  const owners = new Map<string, string>();
  for (const definition of definitions) {
    for (const name of namesOf(definition)) {
      t.is(owners.get(name), undefined, `${name} of ${definition.type}`);
      owners.set(name, definition.type);
    }
  }
});

test('every type has columns, and names of its own by which the page of types asks for it', async (t) => {
  const page = await readFile(new URL('../../../../docs/resources.md', import.meta.url), 'utf8');
  t.is(withTypeTable(page, definitions), page, 'npm run generate');
  for (const definition of definitions) {
    const { type, printColumns } = definition;
    t.is(
      printColumns.length > 0,
      type !== machineConfigs.type,
      `${type}: a text has no fields, all others do`,
    );
    const example = exampleOf(definition, definitions);
    t.true(page.includes(`| \`${type}\` |`) && page.includes(`\`${example}\``), type);
    const name = example.slice('osctl get '.length);
    t.deepEqual(resolveType(definitions, name), [definition], name);
  }
});

test('every definition is a resource, and a second publication changes nothing', (t) => {
  const store = new Store();
  catalog.publish(store);
  const { resources, bookmark } = store.list(kindOf(resourceDefinitions));
  t.is(resources.length, definitions.length);
  catalog.publish(store);
  t.is(store.revision, bookmark.revision);
});

test('an unknown type, a foreign namespace and a sensitive type are refused', (t) => {
  t.deepEqual(catalog.resolve({ type: disks.type, namespace: '' }, false), kindOf(disks));
  t.throws(() => catalog.resolve({ type: 'Nothing.nodecore.dev', namespace: '' }, true), {
    code: 'ERR_RESOURCE_TYPE',
  });
  t.throws(() => catalog.resolve({ type: disks.type, namespace: 'secrets' }, true), {
    code: 'ERR_RESOURCE_TYPE',
  });
  t.throws(() => catalog.resolve({ type: machineConfigs.type, namespace: '' }, false), {
    code: 'ERR_RESOURCE_DENIED',
  });
  t.notThrows(() => catalog.resolve({ type: machineConfigs.type, namespace: '' }, true));
});
