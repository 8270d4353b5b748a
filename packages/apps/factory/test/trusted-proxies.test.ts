import type { IncomingMessage } from 'node:http';

import test from 'ava';

import { isNetwork, TrustedProxies } from '../src/http/trusted-proxies.ts';

test('a client is the last address that no trusted proxy is', (t) => {
  const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);
  for (const [connected, said, client] of [
    ['203.0.113.9', '198.51.100.7', '203.0.113.9'], // anybody can send the header
    ['192.0.2.2', '198.51.100.7', '192.0.2.2'],
    ['192.0.2.1', '198.51.100.7', '198.51.100.7'],
    ['::ffff:10.1.2.3', '1.1.1.1, 198.51.100.7, 10.9.9.9', '198.51.100.7'],
    ['fd00::1', '2001:db8::1', '2001:db8::1'],
    ['10.1.2.3', '::ffff:198.51.100.7', '198.51.100.7'],
    ['10.1.2.3', undefined, '10.1.2.3'],
    ['10.1.2.3', '', '10.1.2.3'],
    ['10.1.2.3', '198.51.100.7, unknown', '10.1.2.3'],
    ['10.1.2.3', '10.4.5.6', '10.4.5.6'],
    ['10.1.2.3', ['1.1.1.1', '198.51.100.7'], '198.51.100.7'],
    ['fe80::1%eth0', '198.51.100.7', 'fe80::1%eth0'],
    [undefined, '198.51.100.7', ''],
  ] as const) {
    const asked = { socket: { remoteAddress: connected }, headers: { 'x-forwarded-for': said } };
    t.is(proxies.clientOf(asked as unknown as IncomingMessage), client, `${connected} ${String(said)}`);
  }
});

test('networks are addresses, or as many bits of one as it has', (t) => {
  for (const right of ['10.0.0.0/8', '10.1.2.3', '0.0.0.0/0', '::/0', 'fd00::1', 'fd00::/128'])
    t.true(isNetwork(right), right);
  for (const wrong of [
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    'host',
    'fe80::1%a',
  ])
    t.false(isNetwork(wrong), wrong);
});
