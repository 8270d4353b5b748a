import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { command, program as needsProgram, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { accepts, BpfError, compile, equal, type Form, parse, print } from '../src/index.ts';
import { filters } from './filters.ts';
import { Random } from './random.ts';

const installed = testWith(needsProgram('tcpdump'));
const linkTypes = ['EN10MB', 'RAW', 'LINUX_SLL2', 'NULL'];

/** What tcpdump prints for each filter; undefined where it refuses one. */
async function tcpdump(option: string, linkType: string): Promise<readonly (string | undefined)[]> {
  const loop = 'while IFS= read -r filter; do echo @; tcpdump -y "$1" "$2" -- "$filter"; done';
  const { stdout } = await command(['sh', '-c', loop, 'sh', linkType, option], {
    input: `${filters.join('\n')}\n`,
  });
  return stdout
    .split('@\n')
    .slice(1)
    .map((printed) => (printed === '' ? undefined : printed));
}

/** As tcpdump does it without an interface: it takes the mask of the network to be 0. */
async function ours(linkType: string, filter: string): Promise<ReturnType<typeof compile> | BpfError> {
  try {
    return await compile(filter, { linkType, netmask: '0.0.0.0' });
  } catch (error) {
    if (error instanceof BpfError) return error;
    throw error;
  }
}

for (const linkType of linkTypes) {
  installed(`${filters.length} filters compile for ${linkType} as tcpdump -dd compiles them`, async (t) => {
    const answers = await tcpdump('-dd', linkType);
    let compiled = 0;
    for (const [index, filter] of filters.entries()) {
      const made = await ours(linkType, filter);
      if (made instanceof BpfError) {
        t.is(answers[index], undefined, `${filter}: ${made.message}`);
        t.is(made.code, 'ERR_BPF_FILTER', filter);
      } else {
        t.is(print(made, 'initializers'), answers[index] ?? 'refused', filter);
        compiled += 1;
      }
    }
    t.true(compiled > 130, `${compiled}`);
    t.log(`${compiled} compiled, ${filters.length - compiled} refused by both`);
  });
}

const options: readonly (readonly [Form, string])[] = [
  ['disassembly', '-d'],
  ['initializers', '-dd'],
  ['numbers', '-ddd'],
];

for (const [form, option] of options) {
  installed(`what tcpdump ${option} prints is read, and printed byte for byte`, async (t) => {
    const printed = await tcpdump(option, 'EN10MB');
    for (const [index, filter] of filters.entries()) {
      const text = printed[index];
      if (text === undefined) continue;
      const read = parse(text);
      t.is(print(read, form), text, filter);
      t.true(equal(read, await compile(filter, { netmask: '0.0.0.0' })), filter);
    }
  });
}

/**
 * Headers that RFC 8200 has in a chain. Without AH: behind one libpcap counts from the beginning again, so that its own
 * interpreter goes round and round for some packets.
 */
const headers = [0, 43, 44, 60] as const;
const ends = [6, 17, 58, 59] as const;

/** An IPv6 packet with a chain of headers in an Ethernet frame; the lengths of most of them are random. */
function chained(random: Random, length: number): Buffer {
  const chain: number[] = Array.from({ length }, () => random.pick(headers));
  chain.push(random.pick(ends));
  const parts = chain.slice(1).map((next) => {
    const units = random.below(3);
    const bytes = Buffer.alloc((units + 1) * 8);
    bytes.set([next, units]);
    return bytes;
  });
  const frame = Buffer.alloc(54);
  frame.writeUInt16BE(0x86dd, 12);
  frame.writeUInt8(0x60, 14);
  frame.writeUInt8(chain[0] ?? 59, 20);
  return Buffer.concat([frame, ...parts, Buffer.alloc(40)]);
}

function capture(frames: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt32LE(0x0004_0002, 4);
  header.writeUInt32LE(262_144, 16);
  header.writeUInt32LE(1, 20);
  const records = frames.map((frame, index) => {
    const record = Buffer.alloc(16);
    record.writeUInt32LE(index, 0); // seconds: the number of the frame
    record.writeUInt32LE(frame.length, 8);
    record.writeUInt32LE(frame.length, 12);
    return Buffer.concat([record, frame]);
  });
  return Buffer.concat([header, ...records]);
}

installed('chains of headers are followed as tcpdump follows them, without a loop', async (t) => {
  const random = new Random(17);
  const frames = Array.from({ length: 400 }, (_, index) => chained(random, index % 9));
  const path = join(await temporaryDirectory(t), 'chains.pcap');
  await writeFile(path, capture(frames));
  for (const filter of [
    'ip6 protochain 6',
    'ip6 protochain 60 and len > 120',
    'not ip6 protochain 17',
    'ip6 protochain 59 or ip6 protochain 58',
    'protochain 6',
  ]) {
    const { stdout } = await command(['tcpdump', '-n', '-tt', '-r', path, filter]);
    const theirs = stdout.split('\n').flatMap((line) => /^(\d+)\.\d+ /.exec(line)?.[1] ?? []);
    const made = await compile(filter);
    const ours = frames.flatMap((frame, index) => (accepts(made, frame) ? [String(index)] : []));
    t.deepEqual(ours, theirs, filter);
    t.true(ours.length > 20, `${filter}: ${ours.length}`);
  }
});

test('a chain that is longer than any is refused', async (t) => {
  const made = await compile('ip6 protochain 6');
  const random = new Random(5);
  const long = (length: number): boolean =>
    Array.from({ length: 20 }, () => chained(random, length)).some((frame) => accepts(made, frame));
  t.true(long(15));
  t.false(long(16));
});
