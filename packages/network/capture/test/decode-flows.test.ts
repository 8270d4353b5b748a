import test from 'ava';

import { Decoder, line } from '../src/decode/index.ts';
import { TwoGenerations } from '../src/decode/two-generations.ts';
import { ipv4, ipv6, tcp, text, udpBytes, zeros, type TcpFields } from './packet-bytes.ts';

const client = { source: '10.0.0.1', destination: '10.0.0.2' };
const server = { source: '10.0.0.2', destination: '10.0.0.1' };

type Speaker = (fields: TcpFields, payload?: string) => string;

function speakers(decoder: Decoder): { from: Speaker; back: Speaker } {
  const show = (data: Uint8Array): string => {
    const packet = { time: 0n, originalBytes: data.length, data, linkType: 101 };
    return line(decoder.decode(packet), { time: 'none' }).replace(/^.*: (?=Flags)/, '');
  };
  return {
    from: (fields, payload = '') =>
      show(ipv4(6, tcp({ source: 4000, destination: 80, ...fields }, text(payload)), client)),
    back: (fields, payload = '') =>
      show(ipv4(6, tcp({ source: 80, destination: 4000, ...fields }, text(payload)), server)),
  };
}

test('sequence numbers count from the beginning of a connection, in both directions', (t) => {
  const { from, back } = speakers(new Decoder());
  const isn = 0xffff_fffe;
  t.is(from({ flags: 2, sequence: isn, acknowledgment: 0 }), 'Flags [S], seq 4294967294, win 512, length 0');
  t.is(
    back({ flags: 0x12, sequence: 7000, acknowledgment: 0xffff_ffff }),
    'Flags [S.], seq 7000, ack 4294967295, win 512, length 0',
  );
  // Past 2^32 they begin anew, and the relative ones do not notice.
  t.is(
    from({ flags: 0x18, sequence: 0xffff_ffff, acknowledgment: 7001 }, 'hello'),
    'Flags [P.], seq 1:6, ack 1, win 512, length 5',
  );
  t.is(back({ flags: 0x10, sequence: 7001, acknowledgment: 4 }), 'Flags [.], ack 6, win 512, length 0');
});

test('a connection that had begun before counts from where it was first seen', (t) => {
  const { from, back } = speakers(new Decoder());
  t.is(
    from({ flags: 0x18, sequence: 5000, acknowledgment: 9000 }, 'abc'),
    'Flags [P.], seq 5000:5003, ack 9000, win 512, length 3',
  );
  t.is(
    back({ flags: 0x18, sequence: 9000, acknowledgment: 5003 }, 'de'),
    'Flags [P.], seq 1:3, ack 3, win 512, length 2',
  );
});

test('a beginning of which only one half was seen still counts', (t) => {
  const { from, back } = speakers(new Decoder());
  from({ flags: 2, sequence: 100, acknowledgment: 0 });
  t.is(from({ sequence: 101, acknowledgment: 9001 }), 'Flags [.], ack 1, win 512, length 0');
  t.is(
    back({ flags: 0x18, sequence: 9001, acknowledgment: 101 }, 'x'),
    'Flags [P.], seq 1:2, ack 1, win 512, length 1',
  );
});

test('the ports of used connections are used again: a SYN begins anew', (t) => {
  const { from } = speakers(new Decoder());
  from({ flags: 2, sequence: 100, acknowledgment: 0 });
  t.is(
    from({ flags: 2, sequence: 5_000_000, acknowledgment: 0 }),
    'Flags [S], seq 5000000, win 512, length 0',
  );
  t.is(
    from({ sequence: 5_000_001, acknowledgment: 1, flags: 0x18 }, 'x'),
    'Flags [P.], seq 1:2, ack 1, win 512, length 1',
  );
});

test('fragments after the first know its ports', (t) => {
  const decoder = new Decoder();
  const show = (data: Uint8Array): string =>
    line(decoder.decode({ time: 0n, originalBytes: data.length, data, linkType: 101 }), { time: 'none' });
  const datagram = udpBytes(5000, 6000, zeros(32));
  const later = ipv4(17, datagram.subarray(24), { id: 9, fragment: 3 });
  t.is(show(later), 'IP 10.0.0.1 > 10.0.0.2: UDP fragment, length 16');
  const first = ipv4(17, datagram.subarray(0, 24), { id: 9, fragment: 0x2000 });
  t.is(show(first), 'IP 10.0.0.1.5000 > 10.0.0.2.6000: UDP, length 32');
  t.is(show(later), 'IP 10.0.0.1.5000 > 10.0.0.2.6000: UDP fragment, length 16');
  const other = ipv4(17, datagram.subarray(24), { id: 10, fragment: 3 });
  t.is(show(other), 'IP 10.0.0.1 > 10.0.0.2: UDP fragment, length 16');
  t.is(
    show(ipv6(44, zeros(2))),
    'IP6 2001:db8::1 > 2001:db8::2 [malformed ipv6-fragment: needs 8 bytes where 2 are]',
  );
});

test('no number of connections makes the decoder remember more than it may', (t) => {
  const kept = new TwoGenerations<number>(100);
  for (let index = 0; index < 10_000; index += 1) {
    kept.set(`flow ${index}`, index);
    kept.get('flow 0'); // in use: stays
    if (kept.size > 200) t.fail(`${kept.size} are kept`);
  }
  t.is(kept.get('flow 0'), 0);
  t.is(kept.get('flow 9999'), 9999);
  t.is(kept.get('flow 500'), undefined);
});
