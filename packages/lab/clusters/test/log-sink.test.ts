import { once } from 'node:events';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { ClusterDirectory, makePlan } from '../src/index.ts';
import { serveLogSink } from '../src/keeper/log-sink.ts';
import { WholeLines } from '../src/keeper/whole-lines.ts';
import { tinyRequest } from './requests.ts';

test('lines are whole whatever pieces they come in, cut where they have no end, and no terminal obeys them', (t) => {
  const lines = new WholeLines();
  t.deepEqual(lines.take(Buffer.from('{"a":')), []);
  t.deepEqual(lines.take(Buffer.from('"ä"}\n\n{"b":1}\n{')), ['{"a":"ä"}', '{"b":1}']);
  t.deepEqual(lines.take(Buffer.from('\u001B[2J\u009B}\n')), ['{\uFFFD[2J\uFFFD}']);
  for (let count = 0; count < 3; count += 1) t.deepEqual(lines.take(Buffer.alloc(1 << 20, 'x')), []);
  t.deepEqual(
    lines.take(Buffer.from('\nnext\n')).map(({ length }) => length),
    [1 << 20, 4],
  );
  const umlaut = Buffer.from('ä\n');
  t.deepEqual([...lines.take(umlaut.subarray(0, 1)), ...lines.take(umlaut.subarray(1))], ['ä']);
});

test('what a machine sends is in its file, which is changed for another when it is full; a stranger is not heard', async (t) => {
  const home = await temporaryDirectory(t);
  const request = tinyRequest(home);
  const plan = makePlan(request, '0'.repeat(32));
  const directory = new ClusterDirectory(join(home, 'clusters'), request.name);
  await directory.make();
  const node = { ...plan.nodes[0]!, address: '127.0.0.7' };
  await mkdir(directory.node(node));
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  serveLogSink(server, directory, [node], 20);
  const { port } = server.address() as AddressInfo;
  const send = async (localAddress: string, text: string): Promise<void> => {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    socket.on('error', () => {});
    socket.resume().end(text);
    await once(socket, 'close');
  };
  const path = directory.services(node);
  /** The connection may be over before what came by it is written. */
  const written = async (text: string): Promise<void> => {
    while ((await readFile(path, 'utf8').catch(() => '')) !== text) await setImmediate();
  };
  await send('127.0.0.8', '{"msg":"stranger"}\n');
  await send('127.0.0.7', '{"msg":"one"}\n');
  await written('{"msg":"one"}\n');
  t.is((await stat(path)).mode & 0o777, 0o600);
  await send('127.0.0.7', '{"msg":"two"}\n');
  await written('{"msg":"two"}\n');
  t.is(await readFile(`${path}.1`, 'utf8'), '{"msg":"one"}\n');
});
