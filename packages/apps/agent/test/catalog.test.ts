import { namesOf } from '@nodecore/api';
import { Store } from '@nodecore/state';
import test from 'ava';

import { publishDefinitions, resolve } from '../src/resources/catalog.ts';
import {
  definitions,
  disks,
  kindOf,
  machineConfigs,
  resourceDefinitions,
} from '../src/resources/definitions.ts';

test('no name means two types', (t) => {
  const owners = new Map<string, string>();
  for (const definition of definitions) {
    for (const name of namesOf(definition)) {
      t.is(owners.get(name), undefined, `${name} of ${definition.type}`);
      owners.set(name, definition.type);
    }
  }
});

test('every definition is a resource, and a second publication changes nothing', (t) => {
  const store = new Store();
  publishDefinitions(store);
  const { resources, bookmark } = store.list(kindOf(resourceDefinitions));
  t.is(resources.length, definitions.length);
  publishDefinitions(store);
  t.is(store.revision, bookmark.revision);
});

test('an unknown type, a foreign namespace and a sensitive type are refused', (t) => {
  t.deepEqual(resolve({ type: disks.type, namespace: '' }, false), kindOf(disks));
  t.throws(() => resolve({ type: 'Nothing.nodecore.dev', namespace: '' }, true), {
    code: 'ERR_RESOURCE_TYPE',
  });
  t.throws(() => resolve({ type: disks.type, namespace: 'secrets' }, true), { code: 'ERR_RESOURCE_TYPE' });
  t.throws(() => resolve({ type: machineConfigs.type, namespace: '' }, false), {
    code: 'ERR_RESOURCE_DENIED',
  });
  t.notThrows(() => resolve({ type: machineConfigs.type, namespace: '' }, true));
});
