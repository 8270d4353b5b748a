import type { TimeRequest, TimeResponseInit } from '@nodecore/api/time';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

async function clockNode(t: ExecutionContext, answer: TimeResponseInit) {
  const asked: TimeRequest[] = [];
  const node = await startFakeNode(t, {
    time: {
      time: (call, reply) => {
        asked.push(call.request);
        reply(null, answer);
      },
    },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  return { endpoint: node.endpoint, asked, run: (line: string) => osctl(line.split(' '), { env }) };
}

const answer: TimeResponseInit = {
  server: 'time.example\u001b[2J',
  address: '192.0.2.1',
  localMicros: 1_764_000_000_000_005n,
  remoteMicros: 1_764_000_001_500_005n,
  offsetMicros: 1_500_000n,
  roundTripMicros: 900n,
  stratum: 2,
};

test('the clock of the node stands beside that of the server, with what has to be added', async (t) => {
  const { run, asked, endpoint } = await clockNode(t, answer);
  const { code, out, error } = await run('time --check time.example');
  t.is(code, 0, error);
  t.deepEqual(
    out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/u)),
    [
      ['NODE', 'NTP-SERVER', 'NODE-TIME', 'NTP-SERVER-TIME', 'OFFSET(S)'],
      [
        endpoint,
        'time.example?[2J (192.0.2.1)',
        '2025-11-24T16:00:00.000005Z',
        '2025-11-24T16:00:01.500005Z',
        '+1.500000',
      ],
    ],
  );
  t.is(asked[0]?.server, 'time.example');
});

test('without --check nobody is named; programs get microseconds', async (t) => {
  const { run, asked } = await clockNode(t, {
    ...answer,
    address: '',
    server: '/dev/ptp0',
    offsetMicros: -12n,
  });
  const [object] = JSON.parse((await run('time -o json')).out) as object[];
  t.like(object, { server: '/dev/ptp0', offsetMicros: -12, roundTripMicros: 900, stratum: 2 });
  t.is(asked[0]?.server, '');
  t.regex((await run('time')).out, /\/dev\/ptp0 .* -0\.000012\n$/u);
});
