import { encodeSpec } from '@nodecore/api';
import { Phase } from '@nodecore/api/resource';
import { Store } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { WireForms } from '../src/resources/wire-forms.ts';

const key = { namespace: 'runtime', type: 'Things.test.nodecore.dev', id: 'one' };

test('a resource is sent with all that its metadata has', (t) => {
  const store = new Store({ clock: new FakeClock(1000) });
  const labels = { rack: '7' };
  const annotations = { 'example.org/note': 'two words' };
  store.transaction([{ op: 'create', key, spec: { size: 1 }, owner: 'somebody', labels, annotations }]);
  store.addFinalizer(key, 'tests');
  t.deepEqual(new WireForms().of(store.get(key)!), {
    metadata: {
      ...key,
      version: 2n,
      owner: 'somebody',
      phase: Phase.RUNNING,
      createdMillis: 1000n,
      updatedMillis: 1000n,
      labels,
      annotations,
      finalizers: ['tests'],
    },
    spec: encodeSpec({ size: 1 }),
  });
});
