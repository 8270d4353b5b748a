import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { basename, join } from 'node:path';

import {
  CaptureEnd,
  CaptureFormat,
  type CaptureReport,
  type CaptureResponse,
  type CaptureStart,
} from '@nodecore/api/capture';
import { CaptureReader, readOwner } from '@nodecore/capture/formats';
import {
  output,
  privateNetwork,
  program,
  root,
  temporaryDirectory,
  testWith,
  vethPair,
} from '@nodecore/testkit';
import test from 'ava';

import { flood } from '../../../network/capture/test/traffic.ts';
import { captureNode } from './capture-node.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const rooted = testWith(root);

test.before(async () => {
  await privateNetwork();
  await vethPair('left', 'right');
});

/** What a call has sent, as it is read. */
class Received {
  readonly #responses: AsyncIterator<CaptureResponse>;
  readonly chunks: Uint8Array[] = [];
  report: CaptureReport | undefined;

  constructor(responses: AsyncIterable<CaptureResponse>) {
    this.#responses = responses[Symbol.asyncIterator]();
  }

  /** The first message: from then on packets are taken. */
  async start(): Promise<CaptureStart> {
    const { value } = (await this.#responses.next()) as { value: CaptureResponse };
    if (value.start === undefined) throw new Error('the first message is no start');
    this.chunks.push(value.start.header);
    return value.start;
  }

  /** Reads on until the call ends. */
  async rest(): Promise<void> {
    for (let next = await this.#responses.next(); next.done !== true; next = await this.#responses.next()) {
      const { data, report } = next.value;
      this.chunks.push(data);
      if (report !== undefined) {
        this.report = report;
        this.chunks.push(report.trailer);
      }
    }
  }

  async packets(): Promise<number> {
    let packets = 0;
    for await (const _ of new CaptureReader(this.chunks)) packets += 1;
    return packets;
  }
}

rooted('packets arrive as a file, and the report adds up', async (t) => {
  const { as, audit } = await captureNode(t);
  const client = await as(['os:capture']);
  const received = new Received(client.capture({ interfaces: ['right'], filter: 'udp' }));
  const { id, sources, format } = await received.start();
  t.is(format, CaptureFormat.PCAP);
  t.like(sources, [{ name: 'right', linkType: 1, snapLength: 262_144 }]);
  t.regex(sources[0]?.program ?? '', /^\(000\) ldh/);
  await flood({ on: 'left', frameBytes: 100, count: 5000 });
  await client.stopCapture({ id });
  await received.rest();
  t.like(received.report, {
    end: CaptureEnd.STOPPED,
    counts: { seen: 5000n, received: 5000n, dropped: 0n, truncated: 0n, bytes: 5000n * 116n },
  });
  t.is(await received.packets(), 5000);
  const [begun, ended] = audit().filter(({ action }) => action === 'capture');
  t.like(begun, {
    action: 'capture',
    outcome: 'begun',
    filter: 'udp',
    interfaces: ['right'],
    roles: ['os:capture'],
  });
  t.like(ended, { outcome: 'done', end: 'stopped', received: '5000', dropped: '0' });
});

rooted('several interfaces come as pcapng, which ends with what was lost', async (t) => {
  const { as } = await captureNode(t);
  const client = await as(['os:admin']);
  const received = new Received(
    client.capture({ interfaces: ['left', 'right'], direction: 1, snapLength: 60 }),
  );
  const { id } = await received.start();
  await flood({ on: 'left', frameBytes: 100, count: 3 });
  await flood({ on: 'right', frameBytes: 100, count: 5 });
  await client.stopCapture({ id });
  await received.rest();
  t.like(received.report?.counts, { received: 8n, truncated: 8n });
  const reader = new CaptureReader(received.chunks);
  const perInterface = [0, 0];
  for await (const packet of reader)
    perInterface[packet.interface] = (perInterface[packet.interface] ?? 0) + 1;
  t.deepEqual(perInterface, [5, 3]);
  t.deepEqual(
    reader.interfaces.map(({ name }) => name),
    ['left', 'right'],
  );
  t.deepEqual(reader.statistics, [
    { interface: 0, received: 5n, dropped: 0n },
    { interface: 1, received: 3n, dropped: 0n },
  ]);
});

rooted('limits of packets, bytes and time end a capture by themselves', async (t) => {
  const clock = new FakeClock();
  const { as } = await captureNode(t, { clock });
  const client = await as(['os:admin']);
  const limited = [
    { request: { packets: 10n }, end: CaptureEnd.PACKETS, received: 10n },
    { request: { bytes: 1000n }, end: CaptureEnd.BYTES, received: 8n },
    { request: { durationMillis: 100 }, end: CaptureEnd.DURATION, received: 20n },
  ];
  for (const { request, end, received } of limited) {
    const capture = new Received(client.capture({ interfaces: ['right'], ...request }));
    await capture.start();
    await flood({ on: 'left', frameBytes: 100, count: 20 });
    clock.advance(request.durationMillis ?? 0);
    await capture.rest();
    t.like(capture.report, { end, counts: { received } });
    t.is(await capture.packets(), Number(received));
  }
});

rooted('cancelling ends the kernel side at once', async (t) => {
  const { as, audit } = await captureNode(t);
  const client = await as(['os:admin']);
  const abort = new AbortController();
  const received = new Received(
    client.capture({ interfaces: ['right'], promiscuous: true }, { signal: abort.signal }),
  );
  await received.start();
  t.is(await promiscuity(), 1);
  t.regex(await readFile('/proc/net/packet', 'utf8'), /\n\w/);
  abort.abort(new Error('enough'));
  await t.throwsAsync(received.rest(), { message: 'enough' });
  await until(async () => !/\n\w/.test(await readFile('/proc/net/packet', 'utf8')));
  t.is(await promiscuity(), 0);
  await until(async () => audit().length === 2);
  t.like(audit()[1], { outcome: 'done', end: 'gone' });
});

async function promiscuity(): Promise<number | undefined> {
  const text = await output(['ip', '-d', '-j', 'link', 'show', 'right']);
  return (JSON.parse(text) as readonly { promiscuity: number }[])[0]?.promiscuity;
}

/** Looks again until it holds; the test's own timeout ends it otherwise. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

rooted('a slow client keeps the memory flat and is told what it lost', async (t) => {
  const { as } = await captureNode(t, { clock: new FakeClock() }); // with all the time it takes

  const client = await as(['os:admin']);
  const received = new Received(client.capture({ interfaces: ['right'] }));
  const { id } = await received.start();
  const before = process.memoryUsage();
  const sent = await flood({ on: 'left', frameBytes: 1400, count: 300_000 }); // 420 MB, and nobody reads
  const after = process.memoryUsage();
  const grown = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed;
  t.true(grown < 24 << 20, `${grown} bytes more`);
  await client.stopCapture({ id });
  await received.rest();
  const { seen = 0n, received: got = 0n, dropped = 0n } = received.report?.counts ?? {};
  t.is(seen, sent);
  t.true(dropped > 0n);
  t.is(got + dropped, sent);
  t.is(await received.packets(), Number(got));
});

rooted(
  'a client that is still too slow after the end gets the report, and what stayed behind is told',
  async (t) => {
    const clock = new FakeClock();
    const { as } = await captureNode(t, { clock });
    const client = await as(['os:admin']);
    const received = new Received(client.capture({ interfaces: ['right'] }));
    const { id } = await received.start();
    const sent = await flood({ on: 'left', frameBytes: 1400, count: 60_000 });
    await client.stopCapture({ id });
    clock.advance(2_000);
    await received.rest();
    const { seen = 0n, received: got = 0n, dropped = 0n } = received.report?.counts ?? {};
    t.is(seen, sent);
    t.true(got + dropped < sent, `${got} and ${dropped} of ${sent}`);
    t.is(await received.packets(), Number(got));
  },
);

rooted("the API's own traffic is left out unless it is asked for", async (t) => {
  const { as, port } = await captureNode(t);
  const client = await as(['os:admin']);
  const without = new Received(client.capture({ interfaces: ['lo'], filter: 'tcp' }));
  const only = new Received(
    client.capture({ interfaces: ['lo'], filter: `tcp port ${port}`, includeApiTraffic: true, packets: 20n }),
  );
  const { id, sources } = await without.start();
  await only.start();
  t.true(sources[0]?.program.includes(`0x${port.toString(16)}`));
  await client.captureInterfaces(); // some traffic of the API; the second capture then feeds itself
  await only.rest();
  await exchange();
  await client.stopCapture({ id });
  await without.rest();
  t.is(only.report?.counts?.received, 20n);
  const ports = new Set<number>();
  for await (const { data } of new CaptureReader(without.chunks)) {
    const frame = Buffer.from(data);
    ports.add(frame.readUInt16BE(34)).add(frame.readUInt16BE(36));
  }
  t.true(ports.size > 0);
  t.false(ports.has(port));
});

/** A TCP connection that is none of the API's. */
async function exchange(): Promise<void> {
  const server = createServer((socket) => socket.end('hello'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const socket = createConnection(port, '127.0.0.1');
  socket.resume();
  await once(socket, 'close');
  await once(server.close(), 'close');
}

rooted(
  'an interface that goes away ends the capture with its packets, a report and the list of what is left',
  async (t) => {
    const { as } = await captureNode(t);
    const client = await as(['os:admin']);
    await vethPair('here', 'gone');
    const received = new Received(client.capture({ interfaces: ['gone'] }));
    await received.start();
    await flood({ on: 'here', frameBytes: 100, count: 10 });
    await output(['ip', 'link', 'delete', 'gone']);
    const error = await t.throwsAsync(received.rest(), { code: 'ERR_API_CONFLICT' });
    t.like(error, { reason: 'ERR_CAPTURE_INTERFACE_DOWN' });
    t.regex(error.message, /gone.*there are lo, right, left, any/);
    t.is(await received.packets(), 10);
    t.like(received.report, { end: CaptureEnd.FAILED, counts: { received: 10n } });
  },
);

rooted('what is wrong with a request is told by its code', async (t) => {
  const { as } = await captureNode(t);
  const client = await as(['os:capture']);
  const wrong = [
    {
      request: { interfaces: ['eth7'] },
      reason: 'ERR_CAPTURE_INTERFACE',
      message: /there are lo, right, left, any/,
    },
    {
      request: { interfaces: ['right'], filter: 'tcp prot 80' },
      reason: 'ERR_BPF_FILTER',
      message: /\n +\^+$/,
    },
    {
      request: { interfaces: ['right'], instructions: [{ code: 6, k: 0 }, { code: 0xff }] },
      reason: 'ERR_BPF_INVALID',
      message: /instruction 1/,
    },
    {
      request: { interfaces: ['right'], filter: 'tcp', instructions: [{ code: 6 }] },
      reason: 'ERR_CAPTURES_REQUEST',
      message: /not both/,
    },
    { request: { interfaces: [] }, reason: 'ERR_CAPTURE_OPTION', message: /names none/ },
  ];
  for (const { request, reason, message } of wrong) {
    const error = await t.throwsAsync(new Received(client.capture(request)).start(), { message });
    t.like(error, { reason });
  }
});

rooted('captures on the node are for their owner, below its directory, and never over a file', async (t) => {
  const { as, directory } = await captureNode(t);
  const client = await as(['os:admin']);
  const request = { interfaces: ['right'], packets: 4n, file: { name: 'a.pcap' } };
  const received = new Received(client.capture(request));
  t.is((await received.start()).path, join(directory, 'a.pcap'));
  await flood({ on: 'left', frameBytes: 100, count: 4 });
  await received.rest();
  t.like(received.report, {
    end: CaptureEnd.PACKETS,
    path: join(directory, 'a.pcap'),
    counts: { received: 4n },
  });
  t.is(received.report?.counts?.truncated, undefined);
  t.is((await stat(directory)).mode & 0o777, 0o700);
  t.is((await stat(join(directory, 'a.pcap'))).mode & 0o777, 0o600);
  let packets = 0;
  for await (const _ of new CaptureReader([await readFile(join(directory, 'a.pcap'))])) packets += 1;
  t.is(packets, 4);
  const again = await t.throwsAsync(new Received(client.capture(request)).start(), {
    code: 'ERR_API_EXISTS',
  });
  t.like(again, { reason: 'ERR_CAPTURE_EXISTS' });
});

rooted('a ring of files on the node keeps the newest', async (t) => {
  const { as, directory } = await captureNode(t);
  const client = await as(['os:admin']);
  const file = { name: 'ring.pcapng', nextBytes: 1n << 16n, keep: 2 };
  const received = new Received(
    client.capture({ interfaces: ['right'], file, packets: 500n, format: CaptureFormat.PCAPNG }),
  );
  await received.start();
  await flood({ on: 'left', frameBytes: 1000, count: 500 });
  await received.rest();
  t.deepEqual((await readdir(directory)).toSorted(), ['ring-00006.pcapng', 'ring-00007.pcapng']);
  t.is(received.report?.path, join(directory, 'ring-00007.pcapng'));
});

rooted(
  'captures are for administrators and the role for it; whose interfaces they are may be read',
  async (t) => {
    const { as, audit } = await captureNode(t);
    for (const role of ['os:reader', 'os:operator']) {
      const client = await as([role]);
      const refused = new Received(client.capture({ interfaces: ['right'] })).start();
      await t.throwsAsync(refused, { code: 'ERR_API_DENIED' });
      await t.throwsAsync(client.stopCapture({ id: '' }), { code: 'ERR_API_DENIED' });
      const { interfaces } = await client.captureInterfaces();
      t.true(interfaces.some(({ name, up }) => name === 'right' && up));
    }
    t.deepEqual(audit(), []);
  },
);

testWith(root, program('tshark'))('tshark shows the process of a packet as its comment', async (t) => {
  const { as } = await captureNode(t);
  const client = await as(['os:capture']);
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const request = {
    interfaces: ['lo'],
    filter: `udp port ${port}`,
    format: CaptureFormat.PCAPNG,
    owners: true,
  };
  const received = new Received(client.capture({ ...request, packets: 1n }));
  await received.start();
  const sender = createSocket('udp4');
  await new Promise((resolve) => sender.send('whose', port, '127.0.0.1', resolve));
  await received.rest();
  sender.close();
  server.close();
  const path = join(await temporaryDirectory(t), 'owned.pcapng');
  await writeFile(path, Buffer.concat(received.chunks));
  const comment = await output(['tshark', '-r', path, '-T', 'fields', '-e', 'frame.comment']);
  t.like(readOwner(comment.trim()), { pid: process.pid, process: basename(process.execPath) });
});

rooted('owners are told in pcapng, and to the caller', async (t) => {
  const { as } = await captureNode(t);
  const client = await as(['os:capture']);
  const start = (more: object): Promise<CaptureStart> =>
    new Received(client.capture({ interfaces: ['lo'], owners: true, ...more })).start();
  await t.throwsAsync(start({}), { message: /only pcapng/ });
  await t.throwsAsync(start({ format: CaptureFormat.PCAPNG, file: { name: 'a.pcapng' } }), {
    message: /to the caller/,
  });
});
