import test from 'ava';

import { Decoder, json, type Layer } from '../src/decode/index.ts';
import { corpus } from './corpus.ts';
import { decode, flat, sample } from './decoding.ts';
import { cat, ethernet, icmp, icmpv6, ipv4, ipv6, u32, udp, udpBytes, zeros } from './packet-bytes.ts';

for (const { name, stack } of corpus) {
  test(`${name}: the layers are ${stack}`, (t) => {
    const decoded = decode(sample(name));
    const found = flat(decoded.layers).map(({ protocol }) => protocol);
    t.is(found.join(' '), stack);
    t.is(decoded.truncated, undefined);
    t.is(decoded.malformed, undefined);
  });
}

const layer = (name: string, protocol: Layer['protocol']): Layer | undefined =>
  flat(decode(sample(name)).layers).find((each) => each.protocol === protocol);

test('fields of a TCP header and its options', (t) => {
  t.like(layer('syn', 'tcp'), {
    sourcePort: 40000,
    destinationPort: 9000,
    sequence: 1000,
    relativeSequence: undefined,
    headerBytes: 40,
    flags: ['syn'],
    window: 512,
    checksumStatus: 'correct',
    length: 0,
    options: [
      { kind: 2, name: 'mss', value: 1460 },
      { kind: 4, name: 'sackOK' },
      { kind: 8, name: 'TS', timestamp: 1, echo: 0 },
      { kind: 1, name: 'nop' },
      { kind: 3, name: 'wscale', value: 7 },
    ],
  });
});

test('fields of IPv4 and IPv6 headers', (t) => {
  t.like(layer('first fragment', 'ipv4'), {
    headerBytes: 20,
    totalLength: 44,
    identification: 77,
    dontFragment: false,
    moreFragments: true,
    fragmentOffset: 0,
    ttl: 64,
    protocolNumber: 17,
    checksumStatus: 'correct',
    source: '10.0.0.1',
    destination: '10.0.0.2',
  });
  t.like(layer('ipv4 options', 'ipv4'), { dscp: 46, ecn: 1, headerBytes: 32 });
  t.like(layer('segment routing', 'ipv6-routing'), {
    type: 4,
    segmentsLeft: 1,
    addresses: ['2001:db8::99', '2001:db8::2'],
  });
  // The checksum is over the last segment's address, not over the one in the header.
  t.like(layer('segment routing', 'udp'), { checksumStatus: 'correct' });
});

test('what a handshake says in the open: name, protocols, versions, cipher', (t) => {
  t.like(layer('tls client hello', 'tls'), {
    records: [
      {
        type: 22,
        handshakes: [
          {
            name: 'client hello',
            legacyVersion: 0x0303,
            cipherCount: 2,
            serverName: 'example.com',
            alpn: ['h2', 'http/1.1'],
            versions: [0x0304, 0x0303],
          },
        ],
      },
    ],
  });
  t.like(layer('tls server hello', 'tls'), {
    records: [{ handshakes: [{ name: 'server hello', cipher: 0x1301, versions: [0x0304] }] }],
  });
  t.like(layer('tls alert', 'tls'), { records: [{ alert: { level: 2, description: 40 } }] });
});

test('DNS records of every type read as in a zone file', (t) => {
  const dns = layer('dns answer of every type', 'dns');
  t.is(dns?.protocol, 'dns');
  const answers = dns?.protocol === 'dns' ? dns.answers : [];
  t.true(answers.every(({ name }) => name === 'example.com.'));
  t.deepEqual(
    answers.slice(0, 10).map(({ type, data }) => `${type} ${data}`),
    [
      'A 192.0.2.1',
      'AAAA 2001:db8::1',
      'CNAME www.example.com.',
      'MX 10 mx.example.com.',
      'NS ns.example.com.',
      'SOA ns.example.com. admin.example.com. 1 2 3 4 5',
      'SRV 1 2 443 srv.example.com.',
      'TXT "v=spf1 -all" "more"',
      'HTTPS 1 . alpn=h2,h3 ipv4hint=192.0.2.1',
      'CAA 0 issue "ca.example"',
    ],
  );
  t.is(answers.at(-1)?.data, 'a.example.com. A AAAA RRSIG NSEC');
});

test('tunnels and messages of other protocols', (t) => {
  t.like(layer('vxlan', 'vxlan'), { vni: 4096 });
  t.like(layer('geneve', 'geneve'), { vni: 42, options: [{ class: 0x0102, critical: true, length: 4 }] });
  t.like(layer('gre with key', 'gre'), { key: 0xabcd, sequence: 7, protocolType: 0x86dd });
  // A counter may be past 2^53: it is text.
  t.like(layer('wireguard data', 'wireguard'), { receiver: 0x2222, counter: '4294967303' });
  t.like(layer('dhcp offer', 'dhcp'), { messageType: 'Offer', yourAddress: '10.0.0.50' });
  t.like(layer('quic version negotiation', 'quic'), { versions: [1, 0x6b3343cf] });
  t.like(layer('packet too big', 'icmpv6'), { mtu: 1280 });
  t.like(layer('port unreachable', 'icmp'), { quoted: [{ protocol: 'ipv4' }, { destinationPort: 53 }] });
});

const stackOf = (data: Uint8Array): string =>
  flat(decode({ name: '', stack: '', linkType: 1, data }).layers)
    .map(({ protocol }) => protocol)
    .join(' ');

test('an error that quotes an error is read up to that one', (t) => {
  const innermost = ipv4(17, udpBytes(5000, 53, zeros(20))).subarray(0, 28);
  const error = icmp(3, 3, cat(u32(0), innermost));
  const data = ethernet(0x0800, ipv4(1, icmp(11, 0, cat(u32(0), ipv4(1, error)))));
  const error6 = icmpv6(1, 4, cat(u32(0), ipv6(17, udp(5000, 53, zeros(20)))));
  const data6 = ethernet(0x86dd, ipv6(58, icmpv6(1, 4, cat(u32(0), ipv6(58, error6)))));
  t.is(stackOf(data), 'ethernet ipv4 icmp ipv4 icmp');
  t.is(stackOf(data6), 'ethernet ipv6 icmpv6 ipv6 icmpv6');
});

test('DNS on other ports is told by its form, and by nothing less', (t) => {
  const { data } = sample('dns on another port');
  const message = data.subarray(42);
  const found = (change: (bytes: Buffer) => Uint8Array): boolean => {
    const changed = change(Buffer.from(message));
    return stackOf(ethernet(0x0800, ipv4(17, udpBytes(40000, 53535, changed)))).endsWith('dns');
  };
  t.true(found((bytes) => bytes));
  const set = (at: number, value: number) =>
    found((bytes) => {
      bytes[at] = value;
      return bytes;
    });
  t.false(set(2, 0x29), 'an update');
  t.false(set(3, 0x40), 'the reserved bit');
  t.false(set(3, 5), 'a query with a result');
  t.false(set(5, 2), 'two questions');
  t.false(set(5, 0), 'no question');
  t.false(set(7, 1), 'a query with an answer');
  t.false(set(12, 64), 'a label that is none');
  t.false(set(13, 0x20), 'a blank in a name');
  t.false(set(26, 200), 'an unknown type');
  t.false(set(28, 9), 'an unknown class');
  t.false(set(31, 30), 'what is no EDNS');
  t.false(
    found((bytes) => bytes.subarray(0, 29)),
    'records that are missing',
  );
  t.false(
    found((bytes) => cat(bytes.subarray(0, 10), zeros(2), bytes.subarray(12))),
    'more than it counts',
  );
  let seed = 1;
  const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) >>> 24;
  for (let round = 0; round < 20_000; round += 1) {
    const bytes = Buffer.from(Array.from({ length: 20 + (round % 60) }, random));
    if (stackOf(ethernet(0x0800, ipv4(17, udpBytes(40000, 53535, bytes)))).endsWith('dns'))
      t.fail(bytes.toString('hex'));
  }
});

test('JSON has time to the nanosecond, both lengths, and every layer', (t) => {
  const { data } = sample('udp');
  const packet = { time: 1_800_000_000_000_000_007n, originalBytes: 1500, data, linkType: 1 };
  const parsed: unknown = JSON.parse(json(new Decoder().decode(packet)));
  t.like(parsed, { time: '1800000000.000000007', length: 1500, captured: data.length, linkType: 1 });
  t.like(parsed, {
    layers: [{ protocol: 'ethernet' }, { protocol: 'ipv4' }, { protocol: 'udp', length: 5 }],
  });
});

test('a link type that is not known is told by its number', (t) => {
  const decoded = decode({ name: '', stack: '', linkType: 147, data: Buffer.from('what') });
  t.deepEqual(decoded.layers, [{ protocol: 'unknown', over: 'link', number: 147, length: 4 }]);
});
