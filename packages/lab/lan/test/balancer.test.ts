import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

import test, { type ExecutionContext } from 'ava';

import { Balancer } from '../src/balancer.ts';

async function listening(t: ExecutionContext, server: Server): Promise<{ address: string; port: number }> {
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { address: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

async function closedOf(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}

/** Targets that say their number to who comes, and a way to ask for one. */
async function balanced(t: ExecutionContext, count: number) {
  const servers = Array.from({ length: count }, (_, index) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.resume();
      socket.write(String(index));
    });
    return { server, sockets };
  });
  const targets = await Promise.all(servers.map(({ server }) => listening(t, server)));
  using cleanup = new DisposableStack();
  const balancer = cleanup.use(new Balancer(targets));
  const front = createServer();
  const place = await listening(t, front);
  balancer.serve(front);
  const nears: Socket[] = [];
  front.on('connection', (near) => nears.push(near));
  const kept = cleanup.move();
  t.teardown(() => kept.dispose());
  const ask = async (): Promise<{ readonly socket: Socket; readonly said: string }> => {
    const socket = connect({ host: place.address, port: place.port });
    t.teardown(() => socket.destroy());
    socket.on('error', () => {});
    const said = await Promise.race([
      once(socket, 'data').then(
        ([data]) => String(data),
        () => 'closed',
      ),
      closedOf(socket).then(() => 'closed'),
    ]);
    return { socket, said };
  };
  const end = (index: number): void => {
    servers[index]?.server.close();
    for (const socket of servers[index]?.sockets ?? []) socket.pause();
  };
  const gone = async (nth: number): Promise<void> => {
    const near = nears[nth];
    if (near?.closed === false) await closedOf(near);
  };
  return { balancer, ask, end, gone };
}

test('a connection goes to the target with the fewest', async (t) => {
  const { ask, gone } = await balanced(t, 2);
  const first = await ask();
  const second = await ask();
  t.deepEqual([first.said, second.said], ['0', '1']);
  second.socket.destroy();
  await gone(1); // the balancer knows then
  const third = await ask();
  t.is(third.said, '1');
});

test('a target that takes no connection is passed over, and loses those that it has', async (t) => {
  const { balancer, ask, end } = await balanced(t, 2);
  const { socket, said } = await ask();
  t.is(said, '0');
  end(0);
  const closed = closedOf(socket);
  await balancer.probe();
  await closed;
  t.deepEqual([(await ask()).said, (await ask()).said], ['1', '1']);
  end(1);
  t.is((await ask()).said, 'closed', 'nobody is up');
});

test('who is not up when a connection comes is found out by it', async (t) => {
  const { ask, end } = await balanced(t, 2);
  end(0);
  t.is((await ask()).said, '1');
});
