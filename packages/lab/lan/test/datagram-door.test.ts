import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import { DatagramDoor, type FlowLimits } from '../src/datagram-door.ts';

const host = '127.0.0.1';

async function socketOf(t: ExecutionContext): Promise<Socket> {
  const socket = createSocket('udp4');
  t.teardown(() => socket.close());
  socket.bind(0, host);
  await once(socket, 'listening');
  return socket;
}

/** A door to a server that says what came to whoever sent it, and from which port it came. */
async function doorTo(t: ExecutionContext, limits: FlowLimits) {
  const server = await socketOf(t);
  const ports: number[] = [];
  server.on('message', (data, { port, address }) => {
    ports.push(port);
    server.send(data, port, address);
  });
  const bound = createSocket('udp4').bind(0, host);
  await once(bound, 'listening');
  const { port } = bound.address();
  const door = new DatagramDoor(bound, { address: host, port: server.address().port }, limits);
  t.teardown(() => door[Symbol.dispose]());
  const ask = async (client: Socket, data: Buffer | string): Promise<Buffer> => {
    client.send(data, port, host);
    const [answer] = (await once(client, 'message')) as [Buffer, RemoteInfo];
    return answer;
  };
  return { door, ask, ports, server };
}

test('everybody who sends has the own answers, at an own port', async (t) => {
  const { door, ask, ports } = await doorTo(t, {});
  const [one, other] = [await socketOf(t), await socketOf(t)];
  t.deepEqual((await Promise.all([ask(one, 'one'), ask(other, 'other')])).map(String), ['one', 'other']);
  t.is(String(await ask(one, 'again')), 'again');
  t.is(new Set(ports).size, 2);
  t.is(door.flows, 2);
});

test('a datagram goes as it is: the longest, and one of nothing', async (t) => {
  const { ask } = await doorTo(t, {});
  const client = await socketOf(t);
  const longest = Buffer.alloc(65_507, 'x');
  t.true((await ask(client, longest)).equals(longest));
  t.is((await ask(client, '')).length, 0);
});

test('a flow that is idle ends, and one that is used does not', async (t) => {
  const clock = new FakeClock();
  const { door, ask, ports } = await doorTo(t, { idleMs: 1000, clock });
  const [idle, used] = [await socketOf(t), await socketOf(t)];
  await ask(idle, 'first');
  await ask(used, 'first');
  clock.advance(900);
  await ask(used, 'second');
  clock.advance(200);
  await ask(used, 'third');
  t.is(door.flows, 1);
  await ask(idle, 'second');
  t.is(new Set(ports).size, 3);
  clock.advance(1000);
  await ask(used, 'fourth'); // both are gone, and this is a new one
  t.is(door.flows, 1);
  t.is(clock.sleepers, 1);
});

test('there are no more flows than are allowed: the one that is idle for the longest goes', async (t) => {
  const { door, ask, ports } = await doorTo(t, { most: 2 });
  const [one, two, three] = [await socketOf(t), await socketOf(t), await socketOf(t)];
  await ask(one, 'one');
  await ask(two, 'two');
  await ask(one, 'one');
  await ask(three, 'three');
  t.is(door.flows, 2);
  t.is(String(await ask(one, 'one')), 'one');
  t.is(new Set(ports).size, 3);
});

test('what another than the target sends to a flow is no answer', async (t) => {
  const { ask, ports } = await doorTo(t, {});
  const [client, stranger] = [await socketOf(t), await socketOf(t)];
  await ask(client, 'first');
  await new Promise((resolve) => stranger.send('forged', ports[0] ?? 0, host, resolve));
  t.is(String(await ask(client, 'second')), 'second');
});

test('a closed door carries nothing, and its flows are closed with it', async (t) => {
  const clock = new FakeClock();
  const { door, ask } = await doorTo(t, { clock });
  await ask(await socketOf(t), 'first');
  door[Symbol.dispose]();
  door[Symbol.dispose]();
  await new Promise(setImmediate);
  t.is(door.flows, 0);
  t.is(clock.sleepers, 0);
});
