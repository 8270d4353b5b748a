import test from 'ava';

import { addressOf, networkOf } from '../src/server/peer.ts';

const addresses: readonly (readonly [string, string])[] = [
  ['10.0.0.1:4711', '10.0.0.1'],
  ['[::1]:4711', '::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['::1:4711', '::1'],
  ['[::ffff:10.0.0.1]:4711', '10.0.0.1'],
  ['::ffff:10.0.0.1:4711', '10.0.0.1'],
  ['unknown', 'unknown'],
];

for (const [peer, address] of addresses) {
  test(`the address of ${peer}`, (t) => {
    t.is(addressOf(peer), address);
  });
}

test('an IPv4 address is a network of its own', (t) => {
  t.is(networkOf('10.0.0.1'), '10.0.0.1');
});

test('addresses of one /64 are one network, however they are written', (t) => {
  const network = '2001:db8:0:1';
  for (const address of [
    '2001:db8:0:1::',
    '2001:db8:0:1::2',
    '2001:0db8:0000:0001:a:b:c:d',
    '2001:db8:0:1:ffff::',
  ])
    t.is(networkOf(address), network, address);
  t.not(networkOf('2001:db8:0:2::1'), network);
  t.is(networkOf('fe80::1%eth0'), 'fe80:0:0:0');
  t.is(networkOf('::1'), '0:0:0:0');
});
