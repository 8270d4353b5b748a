import test from 'ava';

import { formatJoinUrl, parseJoinUrl } from '../src/join-url.ts';

const pin = 'ab'.repeat(32);

test('what is written is read', (t) => {
  for (const url of [
    { host: 'fleet.example', port: 443, token: 'w7Kq' },
    { host: '10.0.0.1', port: 8080, token: 'v2:eyJhIjoi+/=', fleetCa: pin },
    { host: 'fd00::1', port: 8080, token: 't' },
  ])
    t.deepEqual(parseJoinUrl(formatJoinUrl(url)), url);
  t.is(
    formatJoinUrl({ host: 'f', port: 8080, token: 't', fleetCa: pin }),
    `https://f:8080/?jointoken=t&fleetca=sha256:${pin}`,
  );
});

test('the older scheme and parameters nobody knows are taken', (t) => {
  t.deepEqual(parseJoinUrl('grpc://f:8080?jointoken=t&grpc_tunnel=true'), {
    host: 'f',
    port: 8080,
    token: 't',
  });
});

for (const url of [
  'http://f/?jointoken=secret',
  'https://f/',
  'https://f/?jointoken=',
  'https://f/?jointoken=secret&jointoken=other',
  'https://u:p@f/?jointoken=secret',
  'https://f/?jointoken=secret&fleetca=sha256:12',
  `https://f/?jointoken=secret&fleetca=sha256:${pin}&fleetca=sha256:${pin}`,
  `https://f/?jointoken=${'s'.repeat(5000)}`,
  'udp://f?jointoken=secret',
])
  test(`${url.slice(0, 60)} is no join URL, and its error does not have the token`, (t) => {
    const error = t.throws(() => parseJoinUrl(url), { code: 'ERR_FLEET_JOIN_URL' });
    t.false(error?.message.includes('secret'));
  });
