import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { HostError } from '@nodecore/host';
import type { Json } from '@nodecore/state';
import test, { type ExecutionContext } from 'ava';

import { type CheckedTime, checkTime } from '../src/time/check-time.ts';
import { publicServer, usualSource } from '../src/time/wanted.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

/** A server whose clock is so many seconds ahead; @returns its port. */
async function server(t: ExecutionContext, aheadSeconds: number): Promise<number> {
  const socket = createSocket('udp4');
  t.teardown(() => socket.close());
  socket.on('message', (question, { port, address }) => {
    const answer = Buffer.alloc(48);
    answer[0] = 0x24;
    answer[1] = 1;
    question.copy(answer, 24, 40, 48);
    const micros = Date.now() * 1000;
    for (const offset of [32, 40]) {
      answer.writeUInt32BE(Math.floor(micros / 1e6) + 2_208_988_800 + aheadSeconds, offset);
      answer.writeUInt32BE(Math.floor(((micros % 1e6) / 1e6) * 2 ** 32), offset + 4);
    }
    socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

test('a server is asked once, and how far our clock is from its own is told', async (t) => {
  const port = await server(t, 3_600);
  const checked = await checkTime('127.0.0.1', { port });
  t.like(checked, { server: '127.0.0.1', address: '127.0.0.1', stratum: 1 });
  const { offsetMicros, roundTripMicros } = checked;
  // The server's clock has no more than milliseconds.
  t.true(Math.abs(offsetMicros - 3_600_000_000) <= roundTripMicros / 2 + 1_001, `${offsetMicros}`);
});

test('who does not say the time is told by a code of its own, and why', async (t) => {
  const silent = createSocket('udp4');
  t.teardown(() => silent.close());
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address();
  const options = { port, patienceMs: 60 };
  const code = 'ERR_HOST_TIME';
  await t.throwsAsync(checkTime('127.0.0.1', options), { code, message: '127.0.0.1: does not answer' });
  await t.throwsAsync(checkTime('/dev/ptp999'), { code, message: '/dev/ptp999: there is no such device' });
  await t.throwsAsync(checkTime('no-such-name.invalid', options), { code, message: /has no address/u });
});

test('what is neither a server nor a clock is refused: other files, options, and what ends a line', async (t) => {
  for (const name of ['/dev/null', '/dev/ptp0/../null', '/etc/passwd', '-x', 'a b', 'a\nb', 'a'.repeat(254)])
    await t.throwsAsync(checkTime(name), { code: 'ERR_HOST_VALUE' }, name);
});

const spec = (more: Json): Json => ({ enabled: true, servers: [], clocks: [], ...(more as object) });

test('without a name it is the one that the clock follows: of the configuration, of the network, or the public one', (t) => {
  t.is(usualSource(spec({ servers: ['a', 'b'], clocks: ['/dev/ptp0'] }), []), 'a');
  t.is(usualSource(spec({ clocks: ['/dev/ptp0'] }), []), '/dev/ptp0');
  t.is(usualSource(spec({}), []), publicServer);
  t.is(usualSource(spec({ enabled: false, servers: ['a'] }), []), publicServer);
  t.is(usualSource(undefined, []), publicServer);
});

test('readers may ask, and are told what went wrong; nobody without a certificate', async (t) => {
  const asked: string[] = [];
  const checked = {
    server: 'a',
    address: '',
    localMicros: -5,
    remoteMicros: 7,
    offsetMicros: -12,
    roundTripMicros: 1,
    stratum: 0,
  };
  const check = async (server: string): Promise<CheckedTime> => {
    asked.push(server);
    if (server === 'b') throw new HostError('ERR_HOST_TIME', 'b', 'does not answer');
    return checked;
  };
  const { as } = await apiNode(t, { persisted: rootDocument(ca), time: { usual: () => 'a', check } });
  const reader = await as(['os:reader']);
  t.like(await reader.time(), { server: 'a', localMicros: 0n, remoteMicros: 7n, offsetMicros: -12n });
  const error = await t.throwsAsync(reader.time({ server: 'b' }), { code: 'ERR_API_CONFLICT' });
  t.is((error as { reason?: string }).reason, 'ERR_HOST_TIME');
  t.deepEqual(asked, ['a', 'b']);
  await t.throwsAsync((await as(['os:capture'])).time(), { code: 'ERR_API_DENIED' });
});
