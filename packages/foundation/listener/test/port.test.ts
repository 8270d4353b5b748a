import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';

import test from 'ava';

import { Port } from '../src/port.ts';

test('those who connect at once are taken many in a turn of the loop', async (t) => {
  const crowd = 128;
  let turns = 0;
  const { promise: allCame, resolve } = Promise.withResolvers<void>();
  const turnsOf: number[] = [];
  const port = new Port((socket: Socket) => {
    socket.destroy();
    if (turnsOf.push(turns) === crowd) resolve();
  });
  const address = await port.listen({ host: '127.0.0.1', port: 0 });
  let turn = setImmediate(function next() {
    turns += 1;
    turn = setImmediate(next);
  });
  const clients = Array.from({ length: crowd }, () => connect(address).on('error', () => {}));
  t.teardown(async () => {
    clearImmediate(turn);
    for (const client of clients) client.destroy();
    await port.close();
  });
  await allCame;
  const [first = 0, last = Infinity] = [turnsOf[0], turnsOf.at(-1)];
  t.true(last - first < crowd / 8, `${last - first} turns`);
});

test('a port that is taken is refused, and one that was closed is free again', async (t) => {
  const first = new Port((socket) => socket.destroy());
  const address = await first.listen({ host: '127.0.0.1', port: 0 });
  const second = new Port((socket) => socket.destroy());
  await t.throwsAsync(second.listen(address), { code: 'EADDRINUSE' });
  await first.close();
  t.deepEqual(await second.listen(address), address);
  const client = connect(address);
  await once(client.resume(), 'close');
  await second.close();
});

test('as many as were asked for wait in the kernel, whatever descriptor came last', async (t) => {
  const port = new Port((socket: Socket) => void socket.destroy());
  t.teardown(() => port.close());
  const { port: number } = await port.listen({ host: '127.0.0.1', port: 0 });
  const kernelMax = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8'));
  const { stdout } = await promisify(execFile)('ss', ['-Hltn', `sport = :${number}`]);
  const [, , queue] = stdout.trim().split(/\s+/);
  t.is(Number(queue), Math.min(4096, kernelMax));
});
