import test from 'ava';

import { jsonSchema } from '@nodecore/config';

test('a schema is strict and marks secrets as write-only', (t) => {
  const schema = jsonSchema('UserVolumeConfig') as any;
  t.is(schema.additionalProperties, false);
  t.deepEqual(schema.required, ['apiVersion', 'kind', 'name']);
  const key = schema.properties.encryption.properties.keys.items;
  t.true(key.properties.static.properties.passphrase.writeOnly);
  t.true((jsonSchema('machine') as any).properties.machine.properties.ca.properties.key.writeOnly);
  t.is((jsonSchema('VolumeConfig') as any).properties.filesystem.properties.type, undefined);
});
