import test from 'ava';

import { ownerComment, readOwner } from '../src/formats/packet-owner.ts';
import { pcapngPackets } from '../src/formats/pcapng-packets.ts';
import { pcapngHeader, pcapngStatistics } from '../src/formats/pcapng-blocks.ts';
import { CaptureReader } from '../src/formats/reader.ts';

function record(time: bigint, data: Uint8Array, originalBytes: number): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(Number(time / 1_000_000_000n), 0);
  header.writeUInt32LE(Number(time % 1_000_000_000n), 4);
  header.writeUInt32LE(data.length, 8);
  header.writeUInt32LE(originalBytes, 12);
  return Buffer.concat([header, data]);
}

const one = { name: 'eth0', linkType: 1, snapLength: 262_144 };

test('records become blocks with the same times, sizes and bytes', async (t) => {
  const times = [0n, 1n, 999_999_999n, 1_800_000_000_123_456_789n, 4_294_967_295_999_999_999n];
  const packets = times.map((time, index) => ({
    time,
    originalBytes: 100 + index,
    interface: 1,
    data: Buffer.from('abcdefgh').subarray(0, index),
  }));
  const records = packets.map(({ time, data, originalBytes }) => record(time, data, originalBytes));
  const trailer = pcapngStatistics({ interface: 1, started: 0n, ended: 1n, received: 5n, dropped: 2n });
  const file = [pcapngHeader([one, one]), pcapngPackets(Buffer.concat(records), 1), trailer];
  const reader = new CaptureReader(file);
  const found = [];
  for await (const packet of reader) found.push({ ...packet, data: Buffer.from(packet.data) });
  t.deepEqual(found, packets);
  t.false(reader.truncated);
  t.deepEqual(reader.statistics, [{ interface: 1, received: 5n, dropped: 2n }]);
});

test('no records are no blocks', (t) => {
  t.is(pcapngPackets(new Uint8Array(), 0).length, 0);
});

test('a packet has the comment that was made for it, and its owner can be read from that', async (t) => {
  const owner = { process: 'a b=%\n', pid: 7, cgroup: '/x y', container: 'web' };
  const records = ['abcde', 'abcdefgh', 'abc'].map((text) => record(1n, Buffer.from(text), 9));
  const comments = [undefined, ownerComment(owner), 'somebody else'];
  const file = [pcapngHeader([one]), pcapngPackets(Buffer.concat(records), 0, comments)];
  const found: (string | undefined)[] = [];
  for await (const { comment } of new CaptureReader(file)) found.push(comment);
  t.deepEqual(found, [undefined, 'process=a%20b=%25%0A pid=7 cgroup=/x%20y container=web', 'somebody else']);
  t.deepEqual(
    found.map((comment) => comment && readOwner(comment)),
    [undefined, owner, undefined],
  );
});
