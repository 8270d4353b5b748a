import test from 'ava';

import { addressGroup } from '../src/index.ts';

test('an address stands for itself, or for its network of 64 bits', (t) => {
  t.is(addressGroup('::ffff:10.0.0.7'), '10.0.0.7');
  t.is(addressGroup('10.0.0.7'), '10.0.0.7');
  t.is(addressGroup('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.is(addressGroup('2001:db8:1:2::9'), '2001:db8:1:2::/64');
  t.is(addressGroup('fe80::1%eth0'), 'fe80:0:0:0::/64');
  t.is(addressGroup('::1'), '0:0:0:0::/64');
});
