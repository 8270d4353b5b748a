import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import {
  privateNetwork,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
  vethPair,
} from '@nodecore/testkit';
import test from 'ava';

import {
  interfaces,
  PacketBatches,
  PacketFile,
  type PacketFileOptions,
  PacketRing,
  type PacketRingOptions,
} from '../src/index.ts';

const addon = process.env['NODECORE_NATIVE'];
const build = addon === undefined ? new URL('../build/', import.meta.url) : new URL('../', `file://${addon}`);
const floodProgram = fileURLToPath(new URL('flood', build));

const snapLength = 262_144;
const rooted = testWith(root);

test.before(async () => {
  await privateNetwork();
  await vethPair('left', 'right');
});

/** A filter that keeps every packet: `ret #262144`. */
function everything(): Uint8Array {
  const filter = Buffer.alloc(8);
  filter.writeUInt16LE(0x06, 0);
  filter.writeUInt32LE(snapLength, 4);
  return filter;
}

function ringOn(name: string, options: Partial<PacketRingOptions> = {}): PacketRingOptions {
  const found = interfaces().find((one) => one.name === name);
  if (found === undefined) throw new Error(`no interface ${name}`);
  return { interfaceIndex: found.index, filter: everything(), ...options };
}

/** Sends frames on `left`; the number that went out. */
async function flood(frameBytes: number, count: number): Promise<bigint> {
  const { stdout } = await promisify(execFile)(floodProgram, ['left', `${frameBytes}`, `${count}`]);
  return BigInt(stdout.split(' ')[0] ?? '');
}

/** A little-endian pcap file's header with nanoseconds, for Ethernet. */
function pcapHeader(): Uint8Array {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b23c4d, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(snapLength, 16);
  header.writeUInt32LE(1, 20);
  return header;
}

function fileOptions(stem: string, options: Partial<PacketFileOptions> = {}): PacketFileOptions {
  return {
    rings: [ringOn('right')],
    snapLength,
    stem,
    suffix: '.pcap',
    format: 'pcap',
    preamble: pcapHeader(),
    ...options,
  };
}

/** The original sizes of a pcap file's records; throws when the last one is cut. */
function recordSizes(file: Buffer): number[] {
  const sizes: number[] = [];
  for (let at = 24; at < file.length;) {
    sizes.push(file.readUInt32LE(at + 12));
    at += 16 + file.readUInt32LE(at + 8);
    if (at > file.length) throw new RangeError('the last record is cut');
  }
  return sizes;
}

for (const frameBytes of [60, 590, 1514]) {
  rooted(`every frame of ${frameBytes} bytes is either received or counted as dropped`, async (t) => {
    // A ring too small for the flood, and a reader that takes its time.
    using small = PacketBatches.open({
      rings: [ringOn('right', { blockBytes: 1 << 16, blocks: 2 })],
      snapLength,
    });
    using large = PacketBatches.open({ rings: [ringOn('right')], snapLength });
    const sent = await flood(frameBytes, 20_000);
    const [fromSmall, fromLarge] = [await drain(small), await drain(large)];
    t.is(fromLarge.received + fromLarge.dropped, sent);
    t.is(fromLarge.dropped, 0n);
    t.is(fromSmall.received + fromSmall.dropped, sent);
    t.true(fromSmall.dropped > 0n, 'a ring of 128 KiB can not hold the flood');
  });
}

/** Stops a capture and takes all it has. */
async function drain(capture: PacketBatches): Promise<{ received: bigint; dropped: bigint }> {
  capture.stop();
  let received = 0n;
  for (;;) {
    for (let batch = capture.take(); batch !== undefined; batch = capture.take()) {
      received += BigInt(batch.packets);
    }
    if (capture.ended) return { received, dropped: capture.progress().rings[0]?.drops ?? -1n };
    await capture.ready();
  }
}

testWith(root, program('tcpdump'))('a file holds, byte for byte, what tcpdump writes', async (t) => {
  const directory = await temporaryDirectory(t);
  const theirs = join(directory, 'theirs.pcap');
  const flags = [
    '-i',
    'right',
    '--time-stamp-precision=nano',
    '-B',
    '65536',
    '-U',
    '-c',
    '2000',
    '-w',
    theirs,
  ];
  const tcpdump = spawn('tcpdump', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  await once(tcpdump.stderr, 'data'); // it says "listening" once its socket is open
  using capture = PacketFile.open(fileOptions(join(directory, 'ours')));
  await flood(60, 1000);
  await flood(1514, 1000);
  await once(tcpdump, 'exit');
  capture.stop();
  const end = await capture.ended();
  t.is(end?.written.packets, 2000n);
  t.deepEqual(await readFile(join(directory, 'ours.pcap')), await readFile(theirs));
});

rooted('a ring of files has no gap, and keeps the newest', async (t) => {
  const directory = await temporaryDirectory(t);
  using capture = PacketFile.open(
    fileOptions(join(directory, 'ring'), { fileBytes: BigInt(24 + 100 * (16 + 60)), keepFiles: 3 }),
  );
  await flood(60, 1000);
  capture.stop();
  const end = await capture.ended();
  t.is(end?.written.path, join(directory, 'ring-00009.pcap'));
  for (const [number, there] of [
    ['6', false],
    ['7', true],
    ['8', true],
    ['9', true],
  ] as const) {
    const file = await readFile(join(directory, `ring-0000${number}.pcap`)).catch(() => undefined);
    t.is(file === undefined ? undefined : recordSizes(file).length, there ? 100 : undefined, number);
  }
});

rooted('limits end a file at a whole record', async (t) => {
  const directory = await temporaryDirectory(t);
  using byPackets = PacketFile.open(fileOptions(join(directory, 'packets'), { maxPackets: 7n }));
  using byBytes = PacketFile.open(fileOptions(join(directory, 'bytes'), { maxBytes: BigInt(9 * 76 + 75) }));
  await flood(60, 100);
  t.is((await byPackets.ended())?.progress.end, 'enough');
  t.is((await byBytes.ended())?.progress.end, 'enough');
  t.is(recordSizes(await readFile(join(directory, 'packets.pcap'))).length, 7);
  t.is(recordSizes(await readFile(join(directory, 'bytes.pcap'))).length, 9);
});

rooted('a file that is there already stays as it is', async (t) => {
  const directory = await temporaryDirectory(t);
  const first = PacketFile.open(fileOptions(join(directory, 'one')));
  first.close();
  const error = t.throws(() => PacketFile.open(fileOptions(join(directory, 'one'))), {
    code: 'ERR_NATIVE_SYSTEM_CALL',
  });
  t.like(error, { errno: 'EEXIST', syscall: 'open' });
  t.is((await stat(join(directory, 'one.pcap'))).mode & 0o777, 0o600);
});

rooted('a disk that runs full ends the file with whole records and ENOSPC', async (t) => {
  const disk = join(await temporaryDirectory(t), 'disk');
  await mkdir(disk);
  await output(['mount', '-t', 'tmpfs', '-o', 'size=1M', 'tmpfs', disk]);
  t.teardown(() => output(['umount', disk]));
  using capture = PacketFile.open(fileOptions(join(disk, 'full')));
  await flood(1514, 2000);
  const end = await capture.ended();
  t.is(end?.progress.end, 'failed');
  t.is(end?.progress.failure?.errno, 'ENOSPC');
  const sizes = recordSizes(await readFile(join(disk, 'full.pcap')));
  t.is(end?.written.packets, BigInt(sizes.length));
  t.true(sizes.length > 500 && sizes.length < 700);
});

rooted(
  'a pcapng file on a full disk keeps its last blocks, and counts the packets that gave way',
  async (t) => {
    const disk = join(await temporaryDirectory(t), 'disk');
    await mkdir(disk);
    await output(['mount', '-t', 'tmpfs', '-o', 'size=64K', 'tmpfs', disk]);
    t.teardown(() => output(['umount', disk]));
    const epilogue = Buffer.alloc(4096, 'last'); // a page: what is left of the last one is never enough
    const options = {
      suffix: '.pcapng',
      format: 'pcapng',
      preamble: Buffer.alloc(64, 'head'),
      epilogue,
    } as const;
    using capture = PacketFile.open(fileOptions(join(disk, 'full'), options));
    await flood(1000, 200);
    const end = await capture.ended();
    t.is(end?.progress.failure?.errno, 'ENOSPC');
    t.true(end?.written.hasEpilogue);
    const file = await readFile(join(disk, 'full.pcapng'));
    t.deepEqual(file.subarray(file.length - epilogue.length), epilogue);
    const records = file.subarray(64, file.length - epilogue.length);
    t.is(records.length % 1032, 0);
    t.is(end?.written.packets, BigInt(records.length / 1032));
    t.is(end?.written.bytes, BigInt(records.length));
    const [ring] = end?.progress.rings ?? [];
    t.is(ring?.taken, end?.written.packets);
    t.true((ring?.lost ?? 0n) > 0n);
  },
);

rooted('a file that has no room for its header is not left behind', async (t) => {
  const disk = join(await temporaryDirectory(t), 'disk');
  await mkdir(disk);
  await output(['mount', '-t', 'tmpfs', '-o', 'size=4K', 'tmpfs', disk]);
  t.teardown(() => output(['umount', disk]));
  const preamble = Buffer.alloc(8192);
  t.throws(() => PacketFile.open(fileOptions(join(disk, 'full'), { preamble })), { message: /ENOSPC/ });
  t.deepEqual(await readdir(disk), []);
});

rooted('an interface that goes away ends its own ring, and the last one ends the capture', async (t) => {
  await vethPair('here', 'gone');
  await vethPair('there', 'last');
  const rings = [ringOn('last'), ringOn('gone')];
  const directory = await temporaryDirectory(t);
  using file = PacketFile.open(fileOptions(join(directory, 'both'), { rings }));
  using capture = PacketBatches.open({ rings, snapLength });
  await output(['ip', 'link', 'delete', 'gone']);
  await capture.ready();
  t.is(capture.take(), undefined);
  t.is(capture.progress().rings[1]?.gone?.errno, 'ENETDOWN');
  await promisify(execFile)(floodProgram, ['there', '60', '10']);
  let packets = 0;
  while (packets < 10) {
    const batch = capture.take();
    if (batch === undefined) await capture.ready();
    else packets += batch.packets;
  }
  t.false(capture.ended);
  await output(['ip', 'link', 'delete', 'last']);
  while (capture.take() !== undefined || !capture.ended) await capture.ready();
  for (const { end, failedRing, failure } of [capture.progress(), (await file.ended())?.progress ?? {}]) {
    t.is(end, 'failed');
    t.is(failedRing, 0);
    t.is(failure?.errno, 'ENETDOWN');
  }
  t.is(file.progress().rings[0]?.taken, 10n);
});

rooted('rings take turns: one that is never empty does not hold back another', async (t) => {
  await vethPair('busy', 'quiet');
  using capture = PacketBatches.open({ rings: [ringOn('right'), ringOn('busy')], snapLength });
  await flood(1514, 2000); // several batches of the first
  await promisify(execFile)(floodProgram, ['quiet', '60', '10']);
  capture.stop();
  const order: number[] = [];
  for (let batch = capture.take(); batch !== undefined; batch = capture.take()) order.push(batch.ring);
  t.deepEqual(order.slice(0, 3), [0, 1, 0]);
});

rooted('abandoned, a capture has ended at once, and its sockets go away', async (t) => {
  using capture = PacketBatches.open({ rings: [ringOn('right')], snapLength });
  await flood(60, 100);
  capture.abandon();
  t.is(capture.progress().end, 'stopped');
  t.is(capture.take(), undefined);
  while (!capture.progress().closed) await capture.ready();
  t.pass();
});

rooted('a lent block has no bytes any more once it was taken back', async (t) => {
  using ring = PacketRing.open(ringOn('right', { retireMs: 1000 }));
  const sent = await flood(60, 10);
  const block = await ring.lend();
  if (block === undefined) throw new Error('no block');
  const kept = new DataView(block);
  t.is(BigInt(kept.getUint32(12, true)), sent); // tpacket_hdr_v1.num_pkts
  ring.takeBack();
  t.throws(() => kept.getUint32(12, true), { instanceOf: TypeError });
});

rooted('silence wakes who waits for a block, and leaves what was there', async (t) => {
  using ring = PacketRing.open(ringOn('right', { retireMs: 60_000 }));
  await flood(60, 10);
  const waiting = ring.lend();
  ring.silence();
  const block = await waiting;
  t.is(block === undefined ? 0 : new DataView(block).getUint32(12, true), 10);
  ring.takeBack();
  t.is(await ring.lend(), undefined);
});

rooted('a capture that is stopped ends, though a flood goes on', async (t) => {
  using capture = PacketBatches.open({ rings: [ringOn('right')], snapLength });
  const flooding = flood(60, 300_000);
  await capture.ready();
  const { received, dropped } = await drain(capture);
  t.true(received + dropped < (await flooding));
});
