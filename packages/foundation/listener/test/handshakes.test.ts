import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import test from 'ava';

import { Handshakes } from '../src/handshakes.ts';

const limits = { max: 12, maxPerAddress: 4, maxPerTurn: 2, deadlineMs: 60_000 };
/** A record of one byte. */
const hello = Buffer.from([22, 3, 1, 0, 1, 0]);

/** Connections that are named by their ports, and a clock that stands. */
function setUp(t: { teardown: (end: () => void) => void }, own: Partial<typeof limits> = {}) {
  const ended: string[] = [];
  const begun: number[] = [];
  const clock = { nowMs: 0 };
  const handshakes = new Handshakes(
    { ...limits, ...own },
    ({ remotePort }, reason) => ended.push(`${remotePort} ${reason.replace('handshake-', '')}`),
    () => clock.nowMs,
  );
  t.teardown(() => handshakes.close());
  const add = (remotePort: number, remoteAddress = '10.0.0.1'): Socket => {
    const ends = { localAddress: '10.0.0.9', localPort: 1, remoteAddress, remotePort };
    const socket = Object.assign(new PassThrough(), ends) as unknown as Socket;
    handshakes.add(socket, () => begun.push(remotePort));
    return socket;
  };
  const greet = (...args: Parameters<typeof add>): Socket => {
    const socket = add(...args);
    socket.write(hello);
    return socket;
  };
  return { handshakes, ended, begun, clock, add, greet };
}

/** Two turns: what was written is read, and looked at. */
async function turns(count = 2): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

test('a handshake begins when the hello is whole, few in a turn, the newest first', async (t) => {
  const { add, greet, begun } = setUp(t);
  const half = add(1);
  half.write(hello.subarray(0, 5));
  greet(2);
  greet(3);
  greet(4);
  await turns(1);
  t.deepEqual(begun, [4, 3]);
  await turns();
  t.deepEqual(begun, [4, 3, 2]);
  half.write(hello.subarray(5));
  await turns();
  t.deepEqual(begun, [4, 3, 2, 1]);
  t.deepEqual(half.read(), hello);
});

test('what is no TLS is not waited for', async (t) => {
  const { add, begun } = setUp(t);
  add(1).write('PRI * HTTP/2.0');
  await turns();
  t.deepEqual(begun, [1]);
});

test('no address keeps the others waiting', async (t) => {
  const { greet, begun } = setUp(t);
  greet(1, '10.0.0.2');
  for (let port = 11; port < 14; port += 1) greet(port);
  await turns(1);
  t.deepEqual(new Set(begun), new Set([1, 13]));
});

test('of one address the oldest that says nothing goes, not who came just now, nor whose handshake has begun', async (t) => {
  const { add, greet, ended, begun, clock } = setUp(t);
  greet(1);
  for (let port = 2; port < 5; port += 1) add(port);
  await turns();
  t.deepEqual(begun, [1]);
  add(5);
  await turns();
  t.deepEqual(ended, []);
  clock.nowMs = 300;
  add(6);
  await turns();
  t.deepEqual(ended, ['2 evicted-address', '3 evicted-address']);
});

test('far too many of one address go at once, but for those whose handshake has begun', async (t) => {
  const { add, greet, ended } = setUp(t);
  greet(1);
  await turns();
  for (let port = 2; port < 20; port += 1) add(port);
  await turns();
  t.deepEqual(ended, ['2 evicted-address', '3 evicted-address', '4 evicted-address']);
});

test('handshakes that have begun have two seconds, however many', async (t) => {
  const { handshakes, greet, ended, clock } = setUp(t, { max: 100 });
  for (let port = 1; port < 21; port += 2) {
    greet(port);
    greet(port + 1);
    await turns();
  }
  t.deepEqual(ended, []);
  clock.nowMs = 2_000;
  greet(21);
  await turns();
  t.is(ended.length, 17);
  t.is(handshakes.count, 4);
});

test('who was not let in goes before who says nothing', async (t) => {
  const { handshakes, add, greet, ended, clock } = setUp(t);
  for (let port = 1; port < 4; port += 1) add(port);
  greet(4);
  await turns();
  handshakes.dismissed('10.0.0.9 1 10.0.0.1 4');
  clock.nowMs = 300;
  add(5);
  await turns();
  t.deepEqual(ended, ['4 evicted-address']);
});

test('in all there are so many, and the address with the most of them loses the oldest', async (t) => {
  const { handshakes, add, ended, clock } = setUp(t, { maxPerAddress: 100, max: 5 });
  for (let port = 1; port < 5; port += 1) add(port, '10.0.0.2');
  add(11);
  clock.nowMs = 300;
  add(12);
  add(13);
  await turns();
  t.deepEqual(ended, ['1 evicted-total', '2 evicted-total']);
  t.is(handshakes.count, 5);
});

test('one that is done, or closed, counts no more', async (t) => {
  const { handshakes, add, greet } = setUp(t);
  greet(1);
  await turns();
  handshakes.done('10.0.0.9 1 10.0.0.1 1');
  handshakes.done('10.0.0.9 1 10.0.0.1 1');
  t.is(handshakes.count, 0);
  const gone = add(2);
  gone.destroy();
  await turns();
  t.is(handshakes.count, 0);
});
