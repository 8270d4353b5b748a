import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { parse } from '@nodecore/config';
import { Store } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { imagePaths } from '../src/image/paths.ts';
import { kmsgLogStatuses } from '../src/kmsg-logs/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { until } from './controllers.ts';
import { Delivery, type DeliveryParts } from '../src/kmsg-logs/delivery.ts';
import { deliveryOf, kernelReceiver, kmsgLogs, wantedReceivers } from '../src/kmsg-logs/feature.ts';
import { Receiver } from '../src/kmsg-logs/receiver.ts';
import { authority, rootDocument } from './documents.ts';

const record = (sequence: number): string => `6,${sequence},${sequence * 1000},-;line ${sequence}`;

/** Records of a kernel that writes no more after these; idle again and again. */
function records(...sequences: readonly number[]): DeliveryParts['records'] {
  return async function* (signal, idle) {
    for (const sequence of sequences) yield record(sequence);
    while (!signal.aborted) {
      idle();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
}

async function listening(
  t: ExecutionContext,
  port = 0,
): Promise<{ server: Server; port: number; lines: AsyncIterator<string> }> {
  const server = createServer();
  const sockets = new Set<Socket>();
  const connected = once(server, 'connection') as Promise<[Socket]>;
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  async function* lines(): AsyncGenerator<string, void, undefined> {
    const [socket] = await connected;
    yield* createInterface(socket);
  }
  return { server, port: (server.address() as AddressInfo).port, lines: lines() };
}

const seqOf = ({ value }: IteratorResult<string>): unknown =>
  (JSON.parse(String(value)) as { seq: number }).seq;

test('each record is a line of JSON, and what the kernel overwrote is counted', async (t) => {
  const { port, lines } = await listening(t);
  const receiver = new Receiver({ protocol: 'tcp', host: '127.0.0.1', port });
  const delivery = new Delivery({ receiver, records: records(7, 8, 12), clock: new FakeClock(), bootMs: 0 });
  const stop = new AbortController();
  const running = delivery.run(stop.signal);
  t.deepEqual([seqOf(await lines.next()), seqOf(await lines.next()), seqOf(await lines.next())], [7, 8, 12]);
  stop.abort();
  await running;
  t.deepEqual([delivery.sent, delivery.dropped, delivery.error], [3, 3, undefined]);
});

test('what is there when the agent ends is still sent', async (t) => {
  const { port, lines } = await listening(t);
  const receiver = new Receiver({ protocol: 'tcp', host: '127.0.0.1', port });
  const delivery = new Delivery({ receiver, records: records(1, 2), clock: new FakeClock(), bootMs: 0 });
  const stop = new AbortController();
  const running = delivery.run(stop.signal);
  stop.abort();
  await running;
  t.deepEqual([seqOf(await lines.next()), seqOf(await lines.next())], [1, 2]);
});

test('a receiver that is not there is tried again; it keeps nobody from ending', async (t) => {
  const { server, port } = await listening(t);
  server.close();
  await once(server, 'close');
  const clock = new FakeClock();
  const receiver = new Receiver({ protocol: 'tcp', host: '127.0.0.1', port });
  const delivery = new Delivery({ receiver, records: records(1), clock, bootMs: 0 });
  const stop = new AbortController();
  const running = delivery.run(stop.signal);
  while (delivery.error === undefined) await new Promise((resolve) => setImmediate(resolve));
  t.is(delivery.error, 'ECONNREFUSED');
  const again = await listening(t, port);
  clock.skip();
  t.is(seqOf(await again.lines.next()), 1);
  stop.abort();
  await running;

  const gone = new Delivery({
    receiver: new Receiver({ protocol: 'tcp', host: '127.0.0.1', port: 1 }),
    records: records(1),
    clock,
    bootMs: 0,
  });
  const end = new AbortController();
  const left = gone.run(end.signal);
  end.abort();
  clock.advance(2000);
  await left;
  t.is(gone.sent, 0);
});

test('a datagram is one record', async (t) => {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  const heard = once(socket, 'message') as Promise<[Buffer]>;
  const receiver = new Receiver({ protocol: 'udp', host: '127.0.0.1', port: socket.address().port });
  const delivery = new Delivery({ receiver, records: records(5), clock: new FakeClock(), bootMs: 0 });
  const stop = new AbortController();
  const running = delivery.run(stop.signal);
  const [bytes] = await heard;
  t.like(JSON.parse(bytes.toString()), { seq: 5, msg: 'line 5' });
  stop.abort();
  await running;
});

test('a destination of the root document gets the lines of services, with its tags', async (t) => {
  const { port, lines } = await listening(t);
  const destination = `{endpoint: "tcp://127.0.0.1:${port}", format: json_lines, extraTags: {site: a}}`;
  const text = rootDocument(await authority()).replace(
    'machine:\n',
    `machine:\n  logging: {destinations: [${destination}]}\n`,
  );
  using configuration = parse(
    `${text}---\napiVersion: v1alpha1\nkind: KmsgLogConfig\nname: all\nurl: udp://127.0.0.1:9\n`,
  );
  const wanted = wantedReceivers(configuration);
  t.deepEqual([...wanted.keys()], ['all', 'machine.logging.0']);
  const stop = new AbortController();
  const delivery = deliveryOf(wanted.get('machine.logging.0')!, new FakeClock(), records(7));
  const running = delivery.run(stop.signal);
  const { value } = await lines.next();
  t.like(JSON.parse(String(value)), { site: 'a', msg: 'line 7', 'os-service': 'kernel' });
  stop.abort();
  await running;
});

test('the kernel says who gets its lines before there is a configuration, and what it says wrong is left out', async (t) => {
  const path = join(await temporaryDirectory(t), 'cmdline');
  for (const [argument, url] of [
    ['tcp://10.0.0.9:5140', 'tcp://10.0.0.9:5140'],
    ['udp://[fd00::9]:514', 'udp://[fd00::9]:514'],
  ] as const) {
    await writeFile(path, `quiet os.logging.kernel=${argument}\n`);
    t.is((await kernelReceiver(path)).get('os.logging.kernel')?.url.href, url);
  }
  for (const wrong of ['tcp://10.0.0.9', 'http://10.0.0.9:1', '10.0.0.9:5140', '']) {
    await writeFile(path, `quiet os.logging.kernel=${wrong}\n`);
    await t.throwsAsync(kernelReceiver(path), { message: /tcp:\/\/host:port/u }, wrong);
  }
  await writeFile(path, 'quiet\n');
  t.is((await kernelReceiver(path)).size, 0);
  t.is((await kernelReceiver(undefined)).size, 0);
});

test('a receiver of the command line has a status, and stays beside those of the configuration', async (t) => {
  const path = join(await temporaryDirectory(t), 'cmdline');
  await writeFile(path, 'os.logging.kernel=udp://127.0.0.1:9\n');
  const [clock, store, stopping] = [new FakeClock(), new Store(), new AbortController()];
  const options = { image: { ...imagePaths, kernelCommandLine: path } };
  const life = kmsgLogs.make(() => ({ options, store, clock, log: pino({ level: 'silent' }) }));
  const running = life.run?.(stopping.signal);
  const names = (): string[] =>
    store.list(kindOf(kmsgLogStatuses)).resources.map(({ metadata }) => metadata.id);
  await until(store, kindOf(kmsgLogStatuses), (all) => all.length === 1);
  t.deepEqual(names(), ['os.logging.kernel']);
  using configuration = parse(
    'apiVersion: v1alpha1\nkind: KmsgLogConfig\nname: all\nurl: udp://127.0.0.1:9\n',
  );
  await life.prepare?.({ configuration, previous: [] });
  t.deepEqual(names(), ['all', 'os.logging.kernel']);
  stopping.abort();
  await running;
  const closing = life.close?.({ unmount: true });
  clock.advance(2000);
  await closing;
});
