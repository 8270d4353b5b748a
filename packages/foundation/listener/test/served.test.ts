import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import test from 'ava';

import { Served } from '../src/served.ts';

/** Connections that are named by their ports. */
function setUp(limits: { readonly max: number; readonly maxPerAddress: number }) {
  const served = new Served(limits);
  const ended: number[] = [];
  const add = (remotePort: number, remoteAddress = '10.0.0.1'): Socket => {
    const ends = { localAddress: '10.0.0.9', localPort: 1, remoteAddress, remotePort };
    const socket = Object.assign(new PassThrough(), ends) as unknown as Socket;
    socket.once('close', () => ended.push(remotePort));
    served.add(socket);
    return socket;
  };
  return { served, ended, add };
}

test('the oldest of an address with too many ends, and then of the address with most', async (t) => {
  const { ended, add } = setUp({ max: 5, maxPerAddress: 3 });
  add(1, '10.0.0.2');
  for (const port of [2, 3, 4]) add(port);
  await setImmediate();
  t.deepEqual(ended, []);
  add(5);
  await setImmediate();
  t.deepEqual(ended, [2]);
  for (const port of [6, 7]) add(port, '10.0.0.3');
  await setImmediate();
  t.deepEqual(ended, [2, 3]);
});

test('one that is released, or closed, counts no more, and goes on', async (t) => {
  const { served, ended, add } = setUp({ max: 2, maxPerAddress: 2 });
  const [first, second] = [add(1), add(2)];
  t.is(served.release(first), first);
  t.is(served.release(first), undefined);
  served.end(first);
  second.destroy();
  await setImmediate();
  add(3);
  add(4);
  await setImmediate();
  t.deepEqual(ended, [2]);
  add(5);
  await setImmediate();
  t.deepEqual(ended, [2, 3]);
});
