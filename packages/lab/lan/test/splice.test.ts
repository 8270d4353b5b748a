import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import test, { type ExecutionContext } from 'ava';

import { Balancer } from '../src/balancer.ts';
import type { SocketAddress } from '../src/spec.ts';
import { spliceTo } from '../src/splice.ts';

async function listening(t: ExecutionContext, server: Server): Promise<SocketAddress> {
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { address: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

type Way = (t: ExecutionContext, target: SocketAddress) => Promise<SocketAddress>;

const ways: readonly (readonly [string, Way])[] = [
  [
    'a door',
    async (t, target) => {
      const server = createServer();
      spliceTo(server, target);
      return await listening(t, server);
    },
  ],
  [
    'a balancer',
    async (t, target) => {
      const server = createServer();
      const balancer = new Balancer([target]);
      t.teardown(() => balancer[Symbol.dispose]());
      balancer.serve(server);
      return await listening(t, server);
    },
  ],
];

/** Both ends of a connection through it. */
async function joined(
  t: ExecutionContext,
  way: Way,
): Promise<{ readonly near: Socket; readonly far: Socket }> {
  const target = createServer({ allowHalfOpen: true });
  const accepted = once(target, 'connection') as Promise<[Socket]>;
  const { address, port } = await way(t, await listening(t, target));
  const near = connect({ host: address, port, allowHalfOpen: true });
  const [far] = await accepted;
  t.teardown(() => void [near, far].map((socket) => socket.destroy()));
  return { near, far };
}

for (const [name, way] of ways) {
  test(`through ${name} who has said all still hears the whole answer`, async (t) => {
    const { near, far } = await joined(t, way);
    near.end('the question');
    t.is(await text(far), 'the question');
    const answer = 'the answer '.repeat(1 << 18); // more than any buffer on the way holds
    far.end(answer);
    t.is(await text(near), answer);
  });

  test(`through ${name} who has answered all still hears the rest of what is asked`, async (t) => {
    const { near, far } = await joined(t, way);
    far.end('enough');
    t.is(await text(near), 'enough');
    const rest = 'the rest '.repeat(1 << 18);
    near.end(rest);
    t.is(await text(far), rest);
  });

  test(`through ${name} what breaks on one side is no end on the other`, async (t) => {
    for (const side of ['near', 'far'] as const) {
      const ends = await joined(t, way);
      const other = side === 'near' ? ends.far : ends.near;
      ends[side].write('half of ');
      t.is(String(await once(other, 'data').then(([data]) => data as Buffer)), 'half of ');
      const broken = once(other.resume(), 'end').then(
        () => 'ended',
        (error: NodeJS.ErrnoException) => error.code,
      );
      ends[side].resetAndDestroy();
      t.is(await broken, 'ECONNRESET', side);
    }
  });

  test(`through ${name} a half that was closed breaks, too`, async (t) => {
    const { near, far } = await joined(t, way);
    near.end('the question');
    t.is(await text(far), 'the question');
    far.write('half of ');
    t.is(String(await once(near, 'data').then(([data]) => data as Buffer)), 'half of ');
    const broken = once(near.resume(), 'end').then(
      () => 'ended',
      (error: NodeJS.ErrnoException) => error.code,
    );
    far.resetAndDestroy();
    t.is(await broken, 'ECONNRESET');
  });

  test(`a target that ${name} does not reach resets who comes`, async (t) => {
    const gone = createServer();
    const target = await listening(t, gone);
    await once(gone.close(), 'close');
    const { address, port } = await way(t, target);
    const near = connect({ host: address, port });
    await t.throwsAsync(once(near.resume(), 'end'), { code: 'ECONNRESET' });
  });
}
