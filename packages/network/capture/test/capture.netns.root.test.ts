import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { privateNetwork, output, root, temporaryDirectory, testWith, vethPair } from '@nodecore/testkit';
import test from 'ava';

import { type Capture, captureToFile, open, openRing } from '../src/index.ts';
import { flood } from './traffic.ts';

const rooted = testWith(root);

test.before(async () => {
  await privateNetwork();
  await vethPair('left', 'right');
});

/** Running numbers of the flood's frames. */
async function numbers(capture: Capture): Promise<bigint[]> {
  const found: bigint[] = [];
  for await (const batch of capture) {
    for (const { data } of batch) found.push(Buffer.from(data).readBigUInt64LE(42));
  }
  return found;
}

const counted = (count: number): bigint[] => Array.from({ length: count }, (_, number) => BigInt(number));

rooted('every packet comes once, in order, with its bytes', async (t) => {
  await using capture = await open({ interfaces: ['right'] });
  await flood({ on: 'left', frameBytes: 100, count: 5000 });
  capture.stop();
  t.deepEqual(await numbers(capture), counted(5000));
  t.like(capture.statistics(), { seen: 5000n, received: 5000n, dropped: 0n, waiting: 0n });
});

rooted('a text filter keeps what it names', async (t) => {
  await using port = await open({ interfaces: ['right'], filter: 'udp dst port 5000' });
  await using other = await open({ interfaces: ['right'], filter: 'udp dst port 5001' });
  await flood({ on: 'left', frameBytes: 100, count: 10 });
  port.stop();
  other.stop();
  t.is((await numbers(port)).length, 10);
  t.is((await numbers(other)).length, 0);
});

rooted('what is excepted does not come, whatever the filter says', async (t) => {
  await using capture = await open({ interfaces: ['right'], filter: 'udp', except: ['host 192.0.2.1'] });
  await flood({ on: 'left', frameBytes: 100, count: 10 });
  capture.stop();
  t.deepEqual(await numbers(capture), []);
});

rooted('directions are told apart', async (t) => {
  await using inward = await open({ interfaces: ['right'], direction: 'in' });
  await using outward = await open({ interfaces: ['right'], direction: 'out' });
  await flood({ on: 'left', frameBytes: 100, count: 3 });
  await flood({ on: 'right', frameBytes: 100, count: 5 });
  inward.stop();
  outward.stop();
  t.deepEqual(await numbers(inward), counted(3));
  t.deepEqual(await numbers(outward), counted(5));
});

rooted('loopback shows each packet once, by its name and under any', async (t) => {
  await using byName = await open({ interfaces: ['lo'], filter: 'udp port 9' });
  await using any = await open({ interfaces: ['any'], filter: 'udp port 9' });
  const socket = createSocket('udp4');
  await new Promise((resolve) => socket.send('once', 9, '127.0.0.1', resolve));
  socket.close();
  byName.stop();
  any.stop();
  t.is(byName.statistics().seen, 1n);
  t.is(any.statistics().seen, 1n);
});

rooted('the snap length is kept to, and the size on the wire is told', async (t) => {
  await using capture = await open({ interfaces: ['right'], snapLength: 64 });
  await flood({ on: 'left', frameBytes: 1000, count: 1 });
  capture.stop();
  for await (const batch of capture) {
    const [packet] = batch;
    t.like(packet, { originalBytes: 1000 });
    t.is(packet?.data.length, 64);
  }
});

rooted('a small ring cuts no large packet', async (t) => {
  await vethPair('wide', 'open');
  for (const name of ['wide', 'open']) await output(['ip', 'link', 'set', name, 'mtu', '65535']);
  await using capture = await open({ interfaces: ['open'], ringBytes: 1 << 20 });
  let packets = 0;
  for (let turn = 0; turn < 3; turn += 1) {
    await flood({ on: 'wide', frameBytes: 65_500, count: 5 });
    for await (const batch of capture) {
      for (const { data } of batch) t.is(data.length, 65_500);
      packets += batch.packets;
      if (packets === 5 * (turn + 1)) break;
    }
  }
  t.like(capture.statistics(), { received: 15n, dropped: 0n });
  await output(['ip', 'link', 'delete', 'wide']);
});

rooted('a VLAN tag is in the frame again, and a filter for it matches', async (t) => {
  await using capture = await open({ interfaces: ['right'], filter: 'vlan 7 and udp' });
  await flood({ on: 'left', frameBytes: 100, count: 4, vlan: 7 });
  await flood({ on: 'left', frameBytes: 100, count: 4 });
  capture.stop();
  let packets = 0;
  for await (const batch of capture) {
    for (const { data, originalBytes } of batch) {
      t.is(Buffer.from(data).toString('hex', 12, 18), '810000070800');
      t.is(originalBytes, 104);
      packets += 1;
    }
  }
  t.is(packets, 4);
});

rooted('several interfaces come with their own index and statistics', async (t) => {
  await using capture = await open({ interfaces: ['left', 'right'], direction: 'in' });
  await flood({ on: 'left', frameBytes: 100, count: 3 });
  await flood({ on: 'right', frameBytes: 100, count: 5 });
  capture.stop();
  const counts = [0, 0];
  for await (const batch of capture) counts[batch.interface] = (counts[batch.interface] ?? 0) + batch.packets;
  t.deepEqual(counts, [5, 3]);
  t.deepEqual(
    capture.statistics().interfaces.map(({ name, received }) => [name, received]),
    [
      ['left', 5n],
      ['right', 3n],
    ],
  );
});

rooted('a signal ends the iteration after what was captured before', async (t) => {
  const controller = new AbortController();
  await using capture = await open({ interfaces: ['right'], signal: controller.signal });
  await flood({ on: 'left', frameBytes: 100, count: 10 });
  controller.abort();
  t.deepEqual(await numbers(capture), counted(10));
});

rooted('iterating again goes on where a loop was left', async (t) => {
  await using capture = await open({ interfaces: ['left', 'right'] });
  await flood({ on: 'left', frameBytes: 100, count: 10 });
  capture.stop();
  let packets = 0;
  for await (const batch of capture) {
    packets += batch.packets;
    break;
  }
  t.is(packets, 10);
  for await (const batch of capture) packets += batch.packets;
  t.is(packets, 20);
});

rooted('an interface that is not there is an error that lists what is', async (t) => {
  const error = await t.throwsAsync(open({ interfaces: ['eth7'] }), { code: 'ERR_CAPTURE_INTERFACE' });
  t.like(error, { available: ['lo', 'right', 'left', 'any'] });
});

rooted('an interface that goes away ends the iteration with an error, after its packets', async (t) => {
  await vethPair('here', 'gone');
  await using capture = await open({ interfaces: ['gone'] });
  await flood({ on: 'here', frameBytes: 100, count: 10 });
  await output(['ip', 'link', 'delete', 'gone']);
  let packets = 0;
  const all = async (): Promise<void> => {
    for await (const batch of capture) packets += batch.packets;
  };
  await t.throwsAsync(all, { code: 'ERR_CAPTURE_INTERFACE_DOWN', message: /gone/ });
  t.is(packets, 10);
});

async function isPromiscuous(name: string): Promise<boolean> {
  const text = await output(['ip', '-d', '-j', 'link', 'show', name]);
  return (JSON.parse(text) as readonly { promiscuity: number }[])[0]?.promiscuity === 1;
}

rooted('promiscuous mode ends with the capture', async (t) => {
  const capture = await open({ interfaces: ['right'], promiscuous: true });
  t.true(await isPromiscuous('right'));
  capture.stop();
  for await (const _ of capture);
  await capture[Symbol.asyncDispose]();
  t.false(await isPromiscuous('right'));
});

rooted('blocks of the ring hold every packet, and nothing after they were taken back', async (t) => {
  await using capture = await openRing({ interface: 'right' });
  await flood({ on: 'left', frameBytes: 1000, count: 3000 });
  capture.stop();
  const found: bigint[] = [];
  let kept: Uint8Array | undefined;
  for await (const block of capture) {
    for (const { data } of block) {
      found.push(new DataView(data.buffer, data.byteOffset).getBigUint64(42, true));
      kept = data;
    }
  }
  t.deepEqual(found, counted(3000));
  t.is(kept?.length, 0);
});

rooted('a pcapng file describes its interfaces and says what was lost', async (t) => {
  const path = join(await temporaryDirectory(t), 'both.pcapng');
  await using capture = await captureToFile(path, {
    interfaces: ['left', 'right'],
    filter: 'udp',
    format: 'pcapng',
    comment: 'two ends of a wire',
  });
  await flood({ on: 'left', frameBytes: 100, count: 10 });
  capture.stop();
  const summary = await capture.summary();
  t.like(summary, { end: 'stopped', packets: 20n, path });
  const file = await readFile(path);
  t.is(file.readUInt32LE(0), 0x0a0d0d0a);
  for (const text of ['two ends of a wire', 'left', 'right', 'udp']) t.true(file.includes(text), text);
});

rooted('a capture ends after the time it was given', async (t) => {
  const path = join(await temporaryDirectory(t), 'short.pcap');
  await using capture = await captureToFile(path, { interfaces: ['right'], durationMs: 50 });
  t.like(await capture.summary(), { end: 'stopped', packets: 0n });
});

rooted('a pcap file can not hold two link types', async (t) => {
  await output(['ip', 'tuntap', 'add', 'dev', 'tun7', 'mode', 'tun']);
  const path = join(await temporaryDirectory(t), 'mixed.pcap');
  await t.throwsAsync(captureToFile(path, { interfaces: ['left', 'tun7'] }), {
    code: 'ERR_CAPTURE_OPTION',
    message: /tun7.*pcapng/,
  });
});
