import { accepts, program } from '@nodecore/bpf';
import test from 'ava';

import { everything, except, onceOnLoopback, onlyDirection } from '../src/guard.ts';
import { ringSize } from '../src/ring-size.ts';

const ipv4 = Buffer.alloc(60);
ipv4.writeUInt16BE(0x0800, 12);
const arp = Buffer.alloc(60);
arp.writeUInt16BE(0x0806, 12);

const isIpv4 = program([
  { code: 0x28, jt: 0, jf: 0, k: 12 },
  { code: 0x15, jt: 0, jf: 1, k: 0x800 },
  { code: 0x06, jt: 0, jf: 0, k: 0x40000 },
  { code: 0x06, jt: 0, jf: 0, k: 0 },
]);
const incoming = 0;
const outgoing = 4;

test('what a program accepts is refused, and what it refuses is accepted', (t) => {
  t.true(accepts(isIpv4, ipv4));
  t.false(accepts(except(isIpv4), ipv4));
  t.true(accepts(except(isIpv4), arp));
});

test('one direction refuses the other', (t) => {
  t.true(accepts(onlyDirection('in'), arp, { packetType: incoming }));
  t.false(accepts(onlyDirection('in'), arp, { packetType: outgoing }));
  t.true(accepts(onlyDirection('out'), arp, { packetType: outgoing }));
  t.false(accepts(onlyDirection('out'), arp, { packetType: incoming }));
});

test('only loopback shows its packets once', (t) => {
  const guard = onceOnLoopback(7);
  t.false(accepts(guard, arp, { interfaceIndex: 7, packetType: outgoing }));
  t.true(accepts(guard, arp, { interfaceIndex: 7, packetType: incoming }));
  t.true(accepts(guard, arp, { interfaceIndex: 8, packetType: outgoing }));
});

test('without a filter everything is kept', (t) => {
  t.true(accepts(everything, Buffer.alloc(0)));
});

test('a block of a ring holds a packet of the snap length, however small the ring is to be', (t) => {
  for (const megabytes of [1, 2, 4, 64, 1024]) {
    for (const snapLength of [1, 64, 65_535, 65_536, 262_144]) {
      const { blockBytes, blocks } = ringSize(megabytes << 20, snapLength);
      t.true(blockBytes >= snapLength + 256 && blockBytes <= 1 << 21 && blocks >= 4);
      t.is(Math.log2(blockBytes) % 1, 0);
      t.true(blockBytes * blocks <= Math.max(megabytes << 20, 4 << 19));
    }
  }
  t.deepEqual(ringSize(64 << 20, 262_144), { blockBytes: 1 << 21, blocks: 32 });
});
