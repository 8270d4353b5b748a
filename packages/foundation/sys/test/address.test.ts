import test from 'ava';

import { contains, isNetwork, overlaps, parseAddress, parsePrefix, type Prefix } from '@nodecore/sys';

const prefix = (text: string): Prefix => {
  const found = parsePrefix(text);
  if (found === undefined) throw new Error(`no prefix: ${text}`);
  return found;
};

test('addresses of both families have their value', (t) => {
  t.is(parseAddress('10.0.0.1')?.value, 0x0a_00_00_01n);
  t.is(parseAddress('::')?.value, 0n);
  t.is(parseAddress('::1')?.value, 1n);
  t.is(parseAddress('1::')?.value, 1n << 112n);
  t.is(parseAddress('1:2:3:4:5:6:7:8')?.value, 0x0001_0002_0003_0004_0005_0006_0007_0008n);
  t.is(parseAddress('::ffff:10.0.0.1')?.value, 0xffff_0a00_0001n);
  t.is(parseAddress('fd00::10')?.family, 'ipv6');
});

test('what is no address, or only one on a link, is none', (t) => {
  for (const text of [
    '',
    '10.0.0',
    '010.0.0.1',
    '10.0.0.1 ',
    'fe80::1%eth0',
    '1:2',
    ':::',
    'a',
    '10.0.0.256',
  ])
    t.is(parseAddress(text), undefined, text);
  for (const text of [
    '10.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '::/129',
    '10.0.0.0/',
    '/8',
    '::/-1',
    '::/8/8',
  ])
    t.is(parsePrefix(text), undefined, text);
});

test('a network contains its own addresses and networks', (t) => {
  t.true(isNetwork(prefix('10.0.0.0/8')));
  t.true(isNetwork(prefix('0.0.0.0/0')));
  t.true(isNetwork(prefix('fd00::1/128')));
  t.false(isNetwork(prefix('10.0.0.1/8')));
  t.true(contains(prefix('10.0.0.0/8'), prefix('10.1.0.0/16')));
  t.false(contains(prefix('10.1.0.0/16'), prefix('10.0.0.0/8')));
  t.false(contains(prefix('0.0.0.0/0'), prefix('::/0')));
  t.true(contains(prefix('::/0'), prefix('fd00::/8').address));
  t.false(contains(prefix('10.0.0.0/31'), prefix('10.0.0.2/32').address));
  t.true(overlaps(prefix('10.1.0.0/16'), prefix('10.0.0.0/8')));
  t.false(overlaps(prefix('10.0.0.0/9'), prefix('10.128.0.0/9')));
});
