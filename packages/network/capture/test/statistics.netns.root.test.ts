import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import {
  output,
  privateNetwork,
  program,
  root,
  temporaryDirectory,
  testWith,
  vethPair,
} from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { CaptureReader } from '../src/formats/index.ts';

import { type CaptureStatistics, captureToFile, open } from '../src/index.ts';
import { flood } from './traffic.ts';

const rooted = testWith(root);

test.before(async () => {
  await privateNetwork();
  await vethPair('left', 'right');
});

rooted('whoever looks at the statistics takes no packets from whoever waits for them', async (t) => {
  await using capture = await open({ interfaces: ['right'] });
  await flood({ on: 'left', frameBytes: 100, count: 10 });
  while (capture.statistics().seen < 10n) await setImmediate();
  capture.statistics();
  for await (const batch of capture) {
    t.is(batch.packets, 10);
    break; // nothing else comes
  }
});

rooted('whoever looks at the statistics does not hide the end of a file', async (t) => {
  const path = join(await temporaryDirectory(t), 'a.pcap');
  await using capture = await captureToFile(path, { interfaces: ['right'], packets: 10n });
  await flood({ on: 'left', frameBytes: 100, count: 10 });
  const looking = setInterval(() => capture.statistics(), 0);
  t.teardown(() => clearInterval(looking));
  t.like(await capture.summary(), { end: 'enough', packets: 10n });
});

async function fullDisk(t: ExecutionContext): Promise<string> {
  const disk = join(await temporaryDirectory(t), 'disk');
  await mkdir(disk);
  await output(['mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', disk]);
  t.teardown(() => output(['umount', disk]));
  return disk;
}

/** Packets and the counts of the last statistics blocks of a file. */
async function contents(path: string): Promise<{ packets: bigint; reader: CaptureReader }> {
  const bytes = await readFile(path);
  const reader = new CaptureReader(
    (async function* () {
      yield bytes;
    })(),
  );
  let packets = 0n;
  for await (const _ of reader) packets += 1n;
  return { packets, reader };
}

const sum = ({ received, dropped, waiting }: CaptureStatistics): bigint => received + dropped + waiting;

for (const format of ['pcap', 'pcapng'] as const) {
  rooted(`on a full disk every packet is in the ${format} file, dropped or waiting`, async (t) => {
    const path = join(await fullDisk(t), `a.${format}`);
    const limit = format === 'pcap' ? { bytes: 1n << 40n } : {}; // with a look at every packet, and without
    await using capture = await captureToFile(path, {
      interfaces: ['right'],
      filter: 'udp',
      format,
      ...limit,
    });
    await flood({ on: 'left', frameBytes: 1000, count: 2000 });
    await t.throwsAsync(capture.summary(), { code: 'ERR_CAPTURE_DISK' });
    const statistics = capture.statistics();
    const { packets, reader } = await contents(path);
    t.is(statistics.received, packets);
    t.is(sum(statistics), statistics.seen);
    t.true(statistics.dropped > 0n);
    if (format === 'pcap') return;
    t.like(reader.statistics, [{ received: statistics.seen, dropped: statistics.dropped }]);
  });
}

testWith(root, program('capinfos'))(
  'an interface that goes ends only itself, and the file tells the counts of both',
  async (t) => {
    await vethPair('vw', 'vx');
    await vethPair('va', 'vb');
    const path = join(await temporaryDirectory(t), 'both.pcapng');
    await using capture = await captureToFile(path, { interfaces: ['vx', 'vb'], format: 'pcapng' });
    await flood({ on: 'vw', frameBytes: 100, count: 10 });
    await output(['ip', 'link', 'delete', 'vx']);
    while (capture.statistics().interfaces[0]?.gone === undefined) await setImmediate();
    await flood({ on: 'va', frameBytes: 100, count: 7 });
    capture.stop();
    const { statistics, packets } = await capture.summary();
    t.is(packets, 17n);
    t.like(statistics.interfaces, [
      { received: 10n, gone: { code: 'ERR_CAPTURE_INTERFACE_DOWN' } },
      { received: 7n },
    ]);
    t.regex(statistics.interfaces[0]?.gone?.message ?? '', /vx: recv: ENETDOWN/);
    const { reader } = await contents(path);
    t.like(reader.statistics, [{ received: 10n }, { received: 7n }]);
    t.is((await output(['capinfos', path])).match(/Number of stat entries = 1/g)?.length, 2);
  },
);

rooted('of a live capture, too, an interface that goes ends only itself', async (t) => {
  await vethPair('vy', 'vz');
  await using capture = await open({ interfaces: ['vz', 'right'] });
  await flood({ on: 'vy', frameBytes: 100, count: 10 });
  await output(['ip', 'link', 'delete', 'vz']);
  const counts = [0, 0];
  /** The other interface has nothing to give before this one is known to be gone. */
  const floodTheOther = async (): Promise<void> => {
    while (capture.statistics().interfaces[0]?.gone === undefined) await setImmediate();
    await flood({ on: 'left', frameBytes: 100, count: 5 });
  };
  for await (const batch of capture) {
    counts[batch.interface] = (counts[batch.interface] ?? 0) + batch.packets;
    if (counts[0] === 10 && counts[1] === 0) void floodTheOther();
    if (counts[1] === 5) capture.stop();
  }
  t.deepEqual(counts, [10, 5]);
  t.is(capture.statistics().interfaces[0]?.gone?.code, 'ERR_CAPTURE_INTERFACE_DOWN');
});
