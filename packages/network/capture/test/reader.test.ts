import test from 'ava';

import {
  CaptureReader,
  type FilePacket,
  pcapHeader,
  pcapngHeader,
  pcapngStatistics,
} from '../src/formats/index.ts';

const packets = [
  { seconds: 1_800_000_000, nanoseconds: 123_456_789, data: 'first', original: 5 },
  { seconds: 1_800_000_001, nanoseconds: 0, data: 'the second one', original: 1500 },
];

type Kind = { readonly little: boolean; readonly nanoseconds: boolean };

function pcap({ little, nanoseconds }: Kind): Buffer {
  const header = Buffer.alloc(24);
  const put = (buffer: Buffer, at: number, ...words: number[]): void => {
    for (const [index, word] of words.entries()) {
      if (little) buffer.writeUInt32LE(word, at + index * 4);
      else buffer.writeUInt32BE(word, at + index * 4);
    }
  };
  put(header, 0, nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4);
  if (little) header.writeUInt32LE(0x0004_0002, 4);
  else header.writeUInt32BE(0x0002_0004, 4);
  put(header, 16, 65_535, 1);
  const records = packets.map((packet) => {
    const record = Buffer.alloc(16);
    const fraction = nanoseconds ? packet.nanoseconds : Math.floor(packet.nanoseconds / 1000);
    put(record, 0, packet.seconds, fraction, packet.data.length, packet.original);
    return Buffer.concat([record, Buffer.from(packet.data)]);
  });
  return Buffer.concat([header, ...records]);
}

/** An Enhanced Packet Block (draft-ietf-opsawg-pcapng, section 4.3). */
function enhanced(packet: (typeof packets)[number], index = 0): Buffer {
  const padded = Math.ceil(packet.data.length / 4) * 4;
  const block = Buffer.alloc(32 + padded);
  const time = BigInt(packet.seconds) * 1_000_000_000n + BigInt(packet.nanoseconds);
  block.writeUInt32LE(6, 0);
  block.writeUInt32LE(block.length, 4);
  block.writeUInt32LE(index, 8);
  block.writeUInt32LE(Number(time >> 32n), 12);
  block.writeUInt32LE(Number(time & 0xffff_ffffn), 16);
  block.writeUInt32LE(packet.data.length, 20);
  block.writeUInt32LE(packet.original, 24);
  block.write(packet.data, 28);
  block.writeUInt32LE(block.length, block.length - 4);
  return block;
}

function pcapng(): Buffer {
  const interfaces = [
    { name: 'eth0', linkType: 1, snapLength: 65_535, filter: 'tcp port 80' },
    { name: 'wg0', linkType: 101, snapLength: 96 },
  ];
  const started = 1_800_000_000_000_000_000n;
  return Buffer.concat([
    pcapngHeader(interfaces, { application: 'nodecore', comment: 'grüße' }),
    ...packets.map((packet, index) => enhanced(packet, index)),
    pcapngStatistics({ interface: 1, started, ended: started + 1n, received: 7n, dropped: 3n }),
  ]);
}

function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(reader: CaptureReader): Promise<FilePacket[]> {
  const found: FilePacket[] = [];
  for await (const packet of reader) found.push(packet);
  return found;
}

const told = (found: readonly FilePacket[]): unknown =>
  found.map(({ time, originalBytes, data }) => [time, originalBytes, Buffer.from(data).toString()]);

for (const little of [true, false]) {
  for (const nanoseconds of [true, false]) {
    const kind = `${little ? 'little' : 'big'}-endian pcap with ${nanoseconds ? 'nano' : 'micro'}seconds`;
    test(`a ${kind} is read, in pieces of any size`, async (t) => {
      const file = pcap({ little, nanoseconds });
      for (const size of [1, 7, 1000]) {
        const reader = new CaptureReader(pieces(file, size));
        const fraction = nanoseconds ? 123_456_789n : 123_456_000n;
        t.deepEqual(told(await read(reader)), [
          [1_800_000_000_000_000_000n + fraction, 5, 'first'],
          [1_800_000_001_000_000_000n, 1500, 'the second one'],
        ]);
        t.like(reader.interfaces[0], { linkType: 1, snapLength: 65_535 });
        t.false(reader.truncated);
      }
    });
  }
}

test('our pcap header is read as what it says', async (t) => {
  const reader = new CaptureReader([pcapHeader(276, 128)]);
  t.deepEqual(await read(reader), []);
  t.like(reader.interfaces[0], { linkType: 276, snapLength: 128 });
});

test('a pcapng file gives interfaces, packets, comments and statistics', async (t) => {
  const reader = new CaptureReader(pieces(pcapng(), 3));
  const found = await read(reader);
  t.deepEqual(told(found), [
    [1_800_000_000_123_456_789n, 5, 'first'],
    [1_800_000_001_000_000_000n, 1500, 'the second one'],
  ]);
  t.deepEqual(
    found.map((packet) => packet.interface),
    [0, 1],
  );
  t.deepEqual(reader.interfaces, [
    { name: 'eth0', linkType: 1, snapLength: 65_535, filter: 'tcp port 80', description: '' },
    { name: 'wg0', linkType: 101, snapLength: 96, filter: '', description: '' },
  ]);
  t.deepEqual(reader.comments, ['grüße']);
  t.deepEqual(reader.statistics, [{ interface: 1, received: 7n, dropped: 3n }]);
});

test('sections follow each other, each with its own interfaces', async (t) => {
  const reader = new CaptureReader([Buffer.concat([pcapng(), pcapng()])]);
  const found = await read(reader);
  t.deepEqual(
    found.map((packet) => packet.interface),
    [0, 1, 2, 3],
  );
  t.is(reader.interfaces.length, 4);
});

for (const [name, file] of [
  ['pcap', pcap({ little: true, nanoseconds: true })],
  ['pcapng', pcapng()],
] as const) {
  test(`a ${name} file that is cut anywhere gives its whole packets and says so`, async (t) => {
    const all = told(await read(new CaptureReader([file]))) as unknown[];
    for (let size = 4; size < file.length; size += 1) {
      const reader = new CaptureReader([file.subarray(0, size)]);
      const found = told(await read(reader)) as unknown[];
      t.deepEqual(found, all.slice(0, found.length));
      t.true(reader.truncated || found.length < all.length || name === 'pcapng', `${size}`);
    }
  });

  test(`a ${name} file with any bytes changed is read or refused, and nothing else`, async (t) => {
    t.timeout(3_600_000);
    let seed = 1;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const rounds = process.env['FAULT_CAMPAIGN'] === 'long' ? 5_000_000 : 60_000;
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const bytes = Buffer.from(file);
      for (let changes = 1 + random(4); changes > 0; changes -= 1) {
        const value = [0, 0xff, 0x7f, 0x80, random(256)][random(5)] ?? 0;
        bytes[random(bytes.length)] = value;
      }
      try {
        for (const packet of await read(new CaptureReader([bytes]))) {
          if (packet.data.length > bytes.length) t.fail('a packet larger than the file');
        }
      } catch (error) {
        if ((error as { code?: string }).code !== 'ERR_CAPTURE_FORMAT') throw error;
        refused += 1;
      }
    }
    t.log(`${rounds} files from seed 1, ${refused} of them refused`);
    t.true(refused > 0 && refused < rounds);
  });
}

test('what is no capture is refused', async (t) => {
  for (const text of ['#!/bin/sh\n', 'ab', '']) {
    await t.throwsAsync(read(new CaptureReader([Buffer.from(text)])), { code: 'ERR_CAPTURE_FORMAT' });
  }
});

test('a record that claims to be huge is refused before memory is taken for it', async (t) => {
  const file = pcap({ little: true, nanoseconds: true });
  file.writeUInt32LE(0xffff_fff0, 24 + 8);
  await t.throwsAsync(read(new CaptureReader([file])), { code: 'ERR_CAPTURE_FORMAT', message: /byte 24/ });
});
