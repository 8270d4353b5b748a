import test from 'ava';

import { Decoder, line, type LineOptions } from '../src/decode/index.ts';
import { ethernet, ipv4, ipv6, tcp, text, udp } from './packet-bytes.ts';
import { decode, sample } from './decoding.ts';

const shown = (name: string, options: LineOptions = {}): string =>
  line(decode(sample(name)), { time: 'none', ...options });

const lines: readonly (readonly [sample: string, line: string])[] = [
  ['arp request', 'ARP, Request who-has 10.0.0.2 tell 10.0.0.1, length 28'],
  ['arp reply', 'ARP, Reply 10.0.0.2 is-at 02:00:00:00:00:0a, length 46'],
  ['two tags', 'vlan 10, p 0, vlan 20, p 3, IP6 2001:db8::1.5000 > 2001:db8::2.6000: UDP, length 5'],
  [
    'syn',
    'IP 10.0.0.1.40000 > 10.0.0.2.9000: Flags [S], seq 1000, win 512, options [mss 1460,sackOK,TS val 1 ecr 0,nop,wscale 7], length 0',
  ],
  ['data', 'IP 10.0.0.1.40000 > 10.0.0.2.9000: Flags [P.], seq 1000:1009, ack 2000, win 512, length 9'],
  ['rst', 'IP 10.0.0.1.40000 > 10.0.0.2.9000: Flags [R], seq 1000, win 0, length 0'],
  ['echo', 'IP 10.0.0.1 > 10.0.0.2: ICMP echo request, id 7, seq 1, length 16'],
  ['port unreachable', 'IP 10.0.0.1 > 10.0.0.2: ICMP 10.0.0.2 udp port 53 port unreachable, length 36'],
  [
    'neighbour solicitation',
    'IP6 fe80::1 > fe80::2: ICMP6, neighbor solicitation, who has fe80::2, length 32',
  ],
  ['dns query', 'IP 10.0.0.1.40000 > 10.0.0.2.53: 4660+ [1au] AAAA? example.com. (40)'],
  ['dns answer', 'IP 10.0.0.1.53 > 10.0.0.2.40000: 4660* 1/0/0 A 192.0.2.1 (45)'],
  [
    'http request',
    'IP 10.0.0.1.40000 > 10.0.0.2.80: Flags [P.], seq 1000:1065, ack 2000, win 512, length 65: HTTP: GET /index.html HTTP/1.1 (host example.com)',
  ],
  [
    'tls client hello',
    'IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [P.], seq 1000:1133, ack 2000, win 512, length 133: TLS: client hello TLSv1.3/TLSv1.2 SNI example.com ALPN h2,http/1.1',
  ],
  [
    'vxlan',
    'IP 10.0.0.1.40000 > 10.0.0.2.4789: VXLAN, flags [I] (0x08), vni 4096: IP 172.16.0.1.7000 > 172.16.0.2.8000: UDP, length 5',
  ],
  ['other llc', 'LLC, dsap NetBIOS, ssap NetBIOS, ctrl 0x03, length 8: data, length 5'],
  ['no next header', 'IP6 2001:db8::1 > 2001:db8::2: no next header'],
  ['mobility', 'IP6 2001:db8::1 > 2001:db8::2: Mobility, length 8'],
  ['ipv6 last fragment', 'IP6 2001:db8::1 > 2001:db8::2: frag (24) UDP fragment, length 16'],
  ['unknown protocol', 'IP 10.0.0.1 > 10.0.0.2: ip-proto-200, length 8'],
  ['cooked 2', 'if 2 out IP6 2001:db8::1.5000 > 2001:db8::2.6000: UDP, length 5'],
];

for (const [name, expected] of lines) {
  test(`${name} in one line`, (t) => {
    t.is(shown(name), expected);
  });
}

test('-v adds the network header and checksums', (t) => {
  t.is(
    shown('data', { verbose: 1 }),
    'IP (tos 0x0, ttl 64, id 1, offset 0, flags [DF], proto TCP (6), length 49) 10.0.0.1.40000 > 10.0.0.2.9000: Flags [P.], cksum 0x0af3 (correct), seq 1000:1009, ack 2000, win 512, length 9',
  );
  t.true(shown('tcp with a bad checksum', { verbose: 1 }).includes('cksum 0x0000 (incorrect)'));
  t.true(shown('udp without checksum', { verbose: 1 }).includes('[no cksum] UDP'));
  t.true(shown('dhcp offer', { verbose: 1 }).includes('Router 10.0.0.254'));
});

test('-v shows the packet that an error message quotes', (t) => {
  t.true(
    shown('time exceeded', { verbose: 1 }).endsWith(
      'time exceeded in-transit, cksum ok, length 36 [quoted IP (tos 0x0, ttl 64, id 1, offset 0, flags [DF], proto TCP (6), length 40) 10.0.0.1.40000 > 10.0.0.2.80: tcp]',
    ),
  );
});

test('link headers, service names and names of interfaces are shown where they are wanted', (t) => {
  t.is(
    shown('dns query', { link: true, names: true }),
    '02:00:00:00:00:0a > 02:00:00:00:00:0b, ethertype IPv4 (0x0800), length 82: IP 10.0.0.1.40000 > 10.0.0.2.domain: 4660+ [1au] AAAA? example.com. (40)',
  );
  t.true(shown('cooked 2', { interfaceName: () => 'eth0' }).startsWith('eth0 out IP6 '));
  t.true(shown('cooked 2', { interfaceName: () => '\u001b[2J' }).startsWith('\\x1b[2J out IP6 '));
});

test('a checksum that the network card was to finish is no bad one', (t) => {
  // The sum of the pseudo-header alone, not inverted, as the kernel leaves it.
  const offloaded = ipv4(6, (pseudo) => {
    const segment = Buffer.from(tcpOf(pseudo));
    const sum = pseudo(6, segment.length);
    segment.writeUInt16BE((sum & 0xffff) + (sum >>> 16), 16);
    return segment;
  });
  const decoded = decode({ name: '', stack: '', linkType: 101, data: offloaded });
  t.like(decoded.layers.at(-1), { checksumStatus: 'offloaded' });
  t.true(line(decoded, { verbose: 1 }).includes('(offloaded)'));
});

function tcpOf(pseudo: (protocol: number, length: number) => number): Uint8Array {
  const payload = tcp({ flags: 0x18 }, text('segment'));
  return typeof payload === 'function' ? payload(pseudo) : payload;
}

test('a segment that the network card was to cut has no total length, and its payload is whole', (t) => {
  const data = ipv4(6, tcp({ flags: 0x18 }, text('large')), { totalLength: 0 });
  const decoded = decode({ name: '', stack: '', linkType: 101, data });
  t.like(decoded.layers, [{ totalLength: 0 }, { length: 5 }]);
  t.is(decoded.malformed, undefined);
  const jumbo = ipv6(6, tcp({ flags: 0x18 }, text('large')), { payloadLength: 0 });
  t.like(decode({ name: '', stack: '', linkType: 101, data: jumbo }).layers, [
    { payloadLength: 0 },
    { length: 5 },
  ]);
});

test('checksums are left alone where nobody asks for them', (t) => {
  const decoded = decode(sample('tcp with a bad checksum'), new Decoder({ checksums: false }));
  t.like(decoded.layers.at(-1), { checksumStatus: 'unverified' });
});

test('time is that of day, since the packet before, or since the epoch', (t) => {
  process.env['TZ'] = 'UTC';
  const decoder = new Decoder();
  const data = ethernet(0x0800, ipv4(17, udp(1, 2, text('x'))));
  const at = (time: bigint): ReturnType<Decoder['decode']> =>
    decoder.decode({ time, originalBytes: data.length, data, linkType: 1 });
  const first = at(1_800_000_000_123_456_789n);
  const second = at(1_800_000_001_123_956_789n);
  const earlier = at(1_800_000_001_123_955_789n);
  const start = (options: LineOptions, decoded = second): string =>
    line(decoded, options).split(' ', 1)[0] ?? '';
  t.is(start({}, first), '08:00:00.123456');
  t.is(start({}), '08:00:01.123956');
  t.is(start({ time: 'epoch' }), '1800000001.123956');
  t.is(start({ time: 'delta' }, first), '+0.000000');
  t.is(start({ time: 'delta' }), '+1.000500');
  t.is(start({ time: 'delta' }, earlier), '-0.000001');
  t.is(start({ time: 'none' }), 'IP');
});
