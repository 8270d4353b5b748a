import test from 'ava';

import { Decoder, json, line } from '../src/decode/index.ts';
import { hello } from './corpus-messages.ts';
import { corpus } from './corpus.ts';
import { decode, flat } from './decoding.ts';
import { cat, hex, ipv4, tag, tcp, text, u16, u32, u8, udp, zeros, ethernet } from './packet-bytes.ts';

/** Everything that a terminal could act on, or hide. */
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

const raw = (data: Uint8Array): ReturnType<typeof decode> =>
  decode({ name: '', stack: '', linkType: 101, data });

test('a packet that the capture cut says where, and never that it is malformed', (t) => {
  for (const { name, data, linkType } of corpus) {
    const whole = decode({ name, stack: '', data, linkType }).layers.length;
    for (let length = 0; length < data.length; length += 1) {
      const cut = data.subarray(0, length);
      const decoded = new Decoder().decode({ time: 0n, originalBytes: data.length, data: cut, linkType });
      const where = `${name} cut to ${length} of ${data.length} bytes`;
      if (decoded.malformed !== undefined) t.fail(`${where}: ${decoded.malformed}`);
      if (decoded.layers.length > whole) t.fail(`${where}: more layers than whole`);
      // What a payload is can't be told without its first bytes; the transport's header is whole.
      const guessed = /^(?:tcp|udp)$/.test(decoded.layers.at(-1)?.protocol ?? '');
      const told = decoded.truncated !== undefined || guessed;
      if (decoded.layers.length < whole && !told) t.fail(`${where}: not told`);
      line(decoded, { verbose: 2 });
    }
  }
  t.pass();
});

test('a packet that ends early on the wire is decoded as far as it goes', (t) => {
  for (const { name, data, linkType } of corpus) {
    for (let length = 0; length < data.length; length += 1) {
      const decoded = decode({ name, stack: '', data: data.subarray(0, length), linkType });
      if (decoded.truncated !== undefined) t.fail(`${name}, ${length} bytes: the capture has them all`);
      line(decoded, { verbose: 2 });
    }
  }
  t.pass();
});

test('no changed packet makes it throw, hang, or print what a terminal acts on', (t) => {
  t.timeout(3_600_000);
  let seed = 20_261_121;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[random(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  };
  const rounds = process.env['FAULT_CAMPAIGN'] === 'long' ? 10_000_000 : 1_000_000;
  const decoder = new Decoder({ flows: 256 });
  const buffer = Buffer.alloc(4096);
  let malformed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { data, linkType } = pick(corpus);
    buffer.set(data);
    let length = data.length;
    for (let changes = 1 + random(4); changes > 0; changes -= 1)
      buffer[random(length)] = pick([0, 1, 4, 0xff, 0x7f, 0x80, 0xc0, random(256)]);
    if (random(8) === 0) {
      const other = pick(corpus).data; // another packet's end behind this one's beginning
      const at = random(Math.min(length, other.length));
      buffer.set(other.subarray(at), at);
      length = other.length;
    }
    if (random(8) === 0) length = random(length + 1);
    const originalBytes = random(4) === 0 ? length + random(1500) : length;
    const time = BigInt(round) * 1_000n;
    const decoded = decoder.decode({ time, originalBytes, data: buffer.subarray(0, length), linkType });
    if (decoded.malformed !== undefined) malformed += 1;
    const verbose = (round % 3) as 0 | 1 | 2;
    const shown = round % 16 === 0 ? json(decoded) : line(decoded, { time: 'none', verbose });
    if (unsafe.test(shown)) t.fail(`round ${round}: ${JSON.stringify(shown)}`);
    if (decoded.layers.length > 64) t.fail(`round ${round}: ${decoded.layers.length} layers`);
  }
  t.log(`${rounds} packets from seed 20261121, ${malformed} of them malformed`);
  t.true(malformed > rounds / 10, `${malformed} of ${rounds} were malformed`);
});

test('random bytes of every link type are decoded too', (t) => {
  let state = 1;
  const bytes = Buffer.alloc(300);
  for (let round = 0; round < 20_000; round += 1) {
    for (let at = 0; at < bytes.length; at += 1) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      bytes[at] = state >>> 16;
    }
    const linkType = [0, 1, 101, 113, 228, 229, 276][round % 7] ?? 1;
    const decoded = decode({ name: '', stack: '', linkType, data: bytes });
    if (unsafe.test(line(decoded, { verbose: 2 }))) t.fail(json(decoded));
  }
  t.pass();
});

test('a packet full of tags or tunnels ends at a number of layers', (t) => {
  let data: Uint8Array = zeros(8);
  for (let depth = 0; depth < 2000; depth += 1) data = tag(1, 0, 0x8100, data);
  const tags = decode({ name: '', stack: '', linkType: 1, data: ethernet(0x8100, data) });
  t.is(tags.malformed, 'vlan: more than 48 layers');
  t.true(tags.layers.length <= 48);
  let packet = ipv4(17, udp(1, 2, text('x')));
  for (let depth = 0; depth < 100; depth += 1) packet = ipv4(4, packet);
  t.is(raw(packet).malformed, 'ipv4: more than 48 layers');
});

const dns = (...parts: Uint8Array[]): ReturnType<typeof decode> =>
  raw(ipv4(17, udp(53, 4000, cat(...parts))));

test('names that point to themselves, ahead or around in a circle are malformed', (t) => {
  const header = u16(1, 0x8180, 1, 0, 0, 0);
  const loops = [
    hex('c00c 0001 0001'),
    hex('c010 0001 0001 c00c'),
    hex('0161 c00e 0001 0001'),
    hex('c0ff 0001 0001'),
  ];
  for (const loop of loops) t.is(dns(header, loop).malformed, 'dns: a name that points to itself or ahead');
  const long = cat(...Array.from({ length: 5 }, () => cat(u8(63), text('a'.repeat(63)))), u8(0));
  t.is(dns(header, long, u16(1, 1)).malformed, 'dns: a name of more than 255 bytes');
  t.is(dns(header, hex('40 00')).malformed, 'dns: label type 1');
});

test('compression does not make a message grow without bounds', (t) => {
  const label = cat(u8(62), Buffer.alloc(62, 0xff));
  const name = cat(label, label, label, u8(60), Buffer.alloc(60, 0xff), u8(0));
  const records = Array.from({ length: 5000 }, () => cat(u16(0xc00c, 12, 1), u32(1), u16(2, 0xc00c)));
  const data = cat(u16(1, 0x8180, 1, 5000, 0, 0), name, u16(12, 1), ...records);
  const decoded = raw(ipv4(17, udp(53, 4000, data)));
  t.true(json(decoded).length < 100_000);
  t.like(decoded.layers.at(-1), { counts: [1, 5000, 0, 0] });
});

test('text out of packets is escaped and cut', (t) => {
  const evil = '\u001b]0;owned\u0007\u202e\u0000\n';
  const request = text(`GET /${evil} HTTP/1.1\r\nHost: ${evil}${'x'.repeat(5000)}\r\n\r\n`);
  const http = raw(ipv4(6, tcp({ destination: 80, flags: 0x18 }, request)));
  const shown = line(http, { time: 'none', verbose: 2 });
  t.false(unsafe.test(shown));
  t.true(shown.includes('\\x1b]0;owned\\x07'));
  t.true(shown.length < 1000);
  const bidi = Buffer.from('safe\u202etxt.exe');
  const client = hello('client', bidi.toString('latin1'));
  const record = cat(u8(22, 3, 1), u16(client.length), client);
  const tls = line(raw(ipv4(6, tcp({ destination: 443, flags: 0x18 }, record))), { time: 'none' });
  t.true(tls.includes('SNI safe\\u{202e}txt.exe'), tls);
  const label = dns(u16(1, 0x100, 1, 0, 0, 0), u8(6), hex('1b 2e 5c 20 80 61'), u8(0), u16(1, 1));
  t.like(label.layers.at(-1), { questions: [{ name: '\\027\\.\\\\\\032\\128a.' }] });
});

test('lengths that lie are told, and what was read before them stays', (t) => {
  const short = raw(ipv4(17, cat(u16(5000, 6000, 4, 0))));
  t.is(short.malformed, 'udp: length 4');
  t.like(short.layers.at(-1), { sourcePort: 5000, destinationPort: 6000 });
  t.is(raw(ipv4(17, cat(u16(5000, 6000, 400, 0)))).malformed, 'udp: claims 392 bytes where 0 are');
  t.is(raw(ipv4(6, tcp({}), { totalLength: 10 })).malformed, 'ipv4: total length 10, header length 20');
  t.is(raw(hex('4f')).malformed, 'ipv4: needs 20 bytes where 1 are');
  t.is(raw(cat(hex('70'), zeros(40))).layers.at(-1)?.protocol, 'data');
  const options = raw(ipv4(6, tcp({ options: hex('02000000') })));
  t.is(options.malformed, 'tcp: option 2 of 0 bytes');
});

test('a hello that continues in another segment is no malformed one', (t) => {
  const client = hello('client');
  const record = cat(u8(22, 3, 1), u16(client.length), client);
  const decoded = raw(ipv4(6, tcp({ destination: 443, flags: 0x18 }, record.subarray(0, 120))));
  t.is(decoded.malformed, undefined);
  t.is(decoded.truncated, undefined);
  t.like(flat(decoded.layers).at(-1), {
    records: [{ continued: true, handshakes: [{ serverName: 'example.com' }] }],
  });
});
