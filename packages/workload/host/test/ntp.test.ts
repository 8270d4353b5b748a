import { ntpQuestion, readNtpAnswer } from '@nodecore/host';
import test from 'ava';

const epochSeconds = 2_208_988_800;
const moments = { server: 'a', sentMicros: 1_764_000_000_000_000, receivedMicros: 1_764_000_000_010_000 };

type Words = { header?: number; stratum?: number; received?: number; sent?: number; reference?: string };

/** An answer with these moments, in microseconds since the Unix epoch. */
function answer({ header = 0x24, stratum = 2, received = 0, sent = 0, reference = '' }: Words): Buffer {
  const packet = Buffer.alloc(48);
  packet[0] = header;
  packet[1] = stratum;
  packet.write(reference, 12, 'latin1');
  for (const [offset, micros] of [
    [32, received],
    [40, sent],
  ] as const) {
    const seconds = Math.floor(micros / 1e6) + epochSeconds;
    packet.writeUInt32BE(seconds % 2 ** 32, offset);
    packet.writeUInt32BE(Math.floor(((micros % 1e6) / 1e6) * 2 ** 32), offset + 4);
  }
  return packet;
}

test('the offset takes half of the way for each direction, and the way is without what the server took', (t) => {
  const packet = answer({ received: moments.sentMicros + 1_004_000, sent: moments.sentMicros + 1_006_000 });
  const read = readNtpAnswer(packet, moments);
  t.like(read, { offsetMicros: 1_000_000, roundTripMicros: 8_000, stratum: 2 });
  t.is(read.remoteMicros - read.localMicros, 1_000_000);
  const behind = answer({ received: moments.sentMicros - 995_000, sent: moments.sentMicros - 995_000 });
  t.is(readNtpAnswer(behind, moments).offsetMicros, -1_000_000);
});

test('a time after the seventh of February 2036, where the seconds begin anew, is one', (t) => {
  const year2040 = Date.UTC(2040, 0, 1) * 1000;
  const read = readNtpAnswer(answer({ received: year2040, sent: year2040 }), moments);
  t.true(Math.abs(read.remoteMicros - year2040) <= 5_001);
});

test('an answer that does not say the time says why', (t) => {
  const now = { received: moments.sentMicros, sent: moments.sentMicros };
  const rows: readonly (readonly [Buffer, RegExp])[] = [
    [answer(now).subarray(0, 47), /a: its answer is too short for NTP/u],
    [answer({ ...now, header: 0x23 }), /no server of NTP/u],
    [answer({ ...now, stratum: 0, reference: 'RATE' }), /refuses to say the time: RATE/u],
    [answer({ ...now, stratum: 0, reference: '\u001b[2J' }), /refuses to say the time: \?\?\?J$/u],
    [answer({ ...now, header: 0xe4 }), /does not know the time itself/u],
    [answer({ ...now, stratum: 16 }), /does not know the time itself/u],
    [answer({ ...now, sent: now.received - 1_000_000 }), /no time that can be/u],
    [Buffer.concat([answer(now).subarray(0, 32), Buffer.alloc(16)]), /no time that can be/u],
  ];
  for (const [packet, message] of rows)
    t.throws(() => readNtpAnswer(packet, moments), { code: 'ERR_HOST_TIME', message });
});

test('a question is a packet of a client, and tells nothing of our clock', (t) => {
  const [first, second] = [ntpQuestion(), ntpQuestion()];
  t.is(first.length, 48);
  t.is(first[0], 0x23);
  t.true(first.subarray(1, 40).every((byte) => byte === 0));
  t.false(first.subarray(40).equals(second.subarray(40)));
});
