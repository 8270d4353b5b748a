import test from 'ava';

import { KeyRing } from '../src/index.ts';

test('a new ring has one key, which is active', (t) => {
  using ring = KeyRing.create(1_700_000_000_999);
  t.is(ring.keys.length, 1);
  t.like(ring.active, { state: 'active', createdSeconds: 1_700_000_000 });
  t.regex(ring.active.id, /^[0-9a-f]{16}$/);
});

test('a rotation adds the key that seals, and keeps the one before', (t) => {
  using ring = KeyRing.create(0);
  const first = ring.active;
  const second = ring.rotate(5_000);
  t.is(ring.active.id, second.id);
  t.is(ring.find(first.id)?.state, 'previous');
  t.true(ring.find(first.id)?.material.equals(first.material));
});

test('the active key is neither retired nor removed', (t) => {
  using ring = KeyRing.create(0);
  t.throws(() => ring.retire(ring.active.id), { code: 'ERR_KMS_RING_KEY' });
  t.throws(() => ring.remove(ring.active.id), { code: 'ERR_KMS_RING_KEY' });
});

test('a key is retired before it is removed, and wiped then', (t) => {
  using ring = KeyRing.create(0);
  const { id, material } = ring.active;
  ring.rotate(0);
  t.throws(() => ring.remove(id), { code: 'ERR_KMS_RING_KEY' });
  ring.retire(id);
  t.is(ring.find(id)?.state, 'retired');
  ring.remove(id);
  t.is(ring.find(id), undefined);
  t.throws(() => material.bytes, { instanceOf: TypeError });
});

test('a retired key stays retired through a rotation', (t) => {
  using ring = KeyRing.create(0);
  const { id } = ring.active;
  ring.rotate(0);
  ring.retire(id);
  ring.rotate(0);
  t.is(ring.find(id)?.state, 'retired');
});

test('a key that is not there can be neither retired nor removed', (t) => {
  using ring = KeyRing.create(0);
  t.throws(() => ring.retire('0'.repeat(16)), { code: 'ERR_KMS_RING_KEY' });
  t.throws(() => ring.remove('0'.repeat(16)), { code: 'ERR_KMS_RING_KEY' });
});
