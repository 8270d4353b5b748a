import test from 'ava';

import { formatPlace, parsePlace } from '../../src/mirror/place.ts';

test('a place is a directory, a layout or a repository, each with its version if it names one', (t) => {
  t.deepEqual(parsePlace('/var/lib/releases/v1.14.0'), {
    kind: 'directory',
    path: '/var/lib/releases/v1.14.0',
  });
  t.deepEqual(parsePlace('oci:/media/usb'), { kind: 'layout', path: '/media/usb', version: undefined });
  t.deepEqual(parsePlace('oci:a:b:v1.14.0-rc.1'), { kind: 'layout', path: 'a:b', version: 'v1.14.0-rc.1' });
  t.deepEqual(parsePlace('oci:a:b'), { kind: 'layout', path: 'a:b', version: undefined });
  t.deepEqual(parsePlace('docker://[::1]:5000/os/release:v1.14.0'), {
    kind: 'registry',
    registry: '[::1]:5000',
    repository: 'os/release',
    version: 'v1.14.0',
  });
  for (const text of ['rel', 'oci:a:v1.14.0', 'oci:a', 'docker://h:1/a', 'docker://h:1/a:v1.14.0'])
    t.is(formatPlace(parsePlace(text)), text);
});

for (const text of [
  '',
  'oci:',
  'oci::v1.14.0',
  'http://registry.example.com/a:v1.14.0',
  'docker://a',
  'docker://h:1/A:v1.14.0',
  'docker://h:1/a:nightly',
  'docker://h:1/../a:v1.14.0',
  `docker://h:1/a@sha256:${'0'.repeat(64)}`,
])
  test(`no place: ${JSON.stringify(text)}`, (t) => {
    t.throws(() => parsePlace(text), { code: 'ERR_FACTORY_PLACE' });
  });
