import test from 'ava';

import { CaptureReader, type FilePacket } from '../src/formats/index.ts';

async function read(reader: CaptureReader): Promise<FilePacket[]> {
  const found: FilePacket[] = [];
  for await (const packet of reader) found.push(packet);
  return found;
}

/** Words in a byte order, with texts between them. */
function bytes(little: boolean, ...parts: readonly (number | string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part !== 'number') return Buffer.from(part as string);
      const word = Buffer.alloc(4);
      if (little) word.writeUInt32LE(part >>> 0);
      else word.writeUInt32BE(part >>> 0);
      return word;
    }),
  );
}

/** Two 16-bit numbers in one word, the first one first. */
const pair = (little: boolean, first: number, second: number): number =>
  little ? first + second * 65_536 : first * 65_536 + second;

type Header = {
  readonly little?: boolean;
  readonly magic?: number;
  readonly version?: readonly [number, number];
  readonly link?: number;
};

function pcap(header: Header, ...records: readonly (number | string)[]): Buffer {
  const { little = true, magic = 0xa1b2c3d4, version = [2, 4], link = 1 } = header;
  return bytes(little, magic, pair(little, ...version), 0, 0, 65_535, link, ...records);
}

function block(little: boolean, type: number, ...body: readonly (number | string | Uint8Array)[]): Buffer {
  const content = bytes(little, ...body);
  const size = content.length + 12;
  return bytes(little, type, size, content, size);
}

const sectionHeader = 0x0a0d0d0a;
const section = (little: boolean): Buffer =>
  block(little, sectionHeader, 0x1a2b3c4d, pair(little, 1, 0), 0xffff_ffff, 0xffff_ffff);

for (const little of [true, false]) {
  const order = little ? 'little-endian' : 'big-endian';

  test(`a ${order} pcapng file has its packets, with the offset of its clock`, async (t) => {
    // if_tsoffset, 14: 64 bits of seconds.
    const offset = [pair(little, 14, 8), ...(little ? [1_000_000, 0] : [0, 1_000_000]), 0];
    const file = Buffer.concat([
      section(little),
      block(little, 1, pair(little, 1, 0), 0),
      block(little, 1, pair(little, 1, 0), 0, ...offset),
      block(little, 6, 1, 0, 5_000_001, 4, 1500, 'abcd'),
      block(little, 2, pair(little, 1, 0), 0, 6_000_000, 3, 3, 'efg '),
    ]);
    const found = await read(new CaptureReader([file]));
    t.deepEqual(
      found.map(({ time, originalBytes, data }) => [time, originalBytes, Buffer.from(data).toString()]),
      [
        [1_000_005_000_001_000n, 1500, 'abcd'],
        [1_000_006_000_000_000n, 3, 'efg'],
      ],
    );
  });

  test(`the magic number a1b2cd34, ${order}, stands for longer headers of records`, async (t) => {
    const file = pcap({ little, magic: 0xa1b2cd34 }, 7, 8, 3, 1500, 1, 2, 'abc', 9, 0, 2, 2, 1, 2, 'de');
    t.deepEqual(
      (await read(new CaptureReader([file]))).map(({ time, originalBytes, data }) => [
        time,
        originalBytes,
        String(Buffer.from(data)),
      ]),
      [
        [7_000_008_000n, 1500, 'abc'],
        [9_000_000_000n, 2, 'de'],
      ],
    );
  });
}

test('a simple packet is as long as the snap length of its interface, and without the padding', async (t) => {
  const file = Buffer.concat([
    section(true),
    block(true, 1, 1, 6),
    block(true, 3, 1500, 'abcdefgh'),
    block(true, 3, 2, 'ab  '),
  ]);
  const found = await read(new CaptureReader([file]));
  t.deepEqual(
    found.map(({ originalBytes, data }) => [originalBytes, Buffer.from(data).toString()]),
    [
      [1500, 'abcdef'],
      [2, 'ab'],
    ],
  );
});

test('bits about a frame check sequence are no part of the link type', async (t) => {
  const reader = new CaptureReader([pcap({ link: 0x4400_0001 })]);
  await read(reader);
  t.is(reader.interfaces[0]?.linkType, 1);
});

const versions: readonly (readonly [version: readonly [number, number], first: number, second: number])[] = [
  [[2, 4], 3, 1500],
  [[2, 3], 3, 1500],
  [[2, 3], 1500, 3], // of a writer who did not know yet
  [[2, 2], 1500, 3],
  [[2, 0], 1500, 3],
  [[543, 0], 1500, 3],
];

for (const [version, first, second] of versions) {
  test(`in version ${version.join('.')} of pcap lengths ${first} and ${second} are 3 captured of 1500`, async (t) => {
    const [packet] = await read(new CaptureReader([pcap({ version }, 1, 0, first, second, 'abc')]));
    t.is(packet?.originalBytes, 1500);
    t.is(String(Buffer.from(packet?.data ?? [])), 'abc');
  });
}

test('versions that nobody has written are refused', async (t) => {
  for (const version of [
    [1, 0],
    [2, 5],
    [3, 4],
    [543, 1],
  ] as const)
    await t.throwsAsync(read(new CaptureReader([pcap({ version })])), {
      message: new RegExp(`version ${version.join('.')} `),
    });
});

test('a D-Bus message may be longer than a packet of a network', async (t) => {
  const size = 20 << 20;
  const message = Buffer.alloc(size, 'm');
  const record = bytes(true, 1, 0, size, size);
  const chunk = 1 << 16;
  function* file(link: number): Generator<Uint8Array> {
    yield pcap({ link });
    yield record;
    for (let at = 0; at < size; at += chunk) yield message.subarray(at, at + chunk);
  }
  const [packet] = await read(new CaptureReader(file(231)));
  t.is(packet?.data.length, size);
  t.true(message.equals(packet?.data ?? new Uint8Array()));
  await t.throwsAsync(read(new CaptureReader(file(1))), { message: /damaged/ });
  const pcapng = [section(true), block(true, 1, 231, 0), block(true, 6, 0, 0, 0, size, size, message)];
  t.is((await read(new CaptureReader(pcapng)))[0]?.data.length, size);
});

test('a packed file is told as such', async (t) => {
  const beginnings = {
    gzip: '1f8b0808',
    bzip2: '425a6839',
    zstd: '28b52ffd',
    xz: 'fd377a58',
    lz4: '04224d18',
  };
  for (const [name, hex] of Object.entries(beginnings))
    await t.throwsAsync(read(new CaptureReader([Buffer.from(hex, 'hex')])), {
      code: 'ERR_CAPTURE_FORMAT',
      message: new RegExp(`packed with ${name}, so unpack it first`),
    });
});
