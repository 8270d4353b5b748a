import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { containerNames } from '@nodecore/cgroup';
import { CaptureReader, pcapngHeader, readOwner } from '@nodecore/capture/formats';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { KnownEnds } from '../src/captures/owners/known-ends.ts';
import { Owners } from '../src/captures/owners/owners.ts';
import { endsOf } from '../src/captures/owners/packet-ends.ts';
import { ownedRecords } from '../src/captures/owners/records.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const containerId = 'c'.repeat(64);

type Process = {
  readonly exe: string;
  readonly cgroup: string;
  readonly inode: string;
  readonly network: string;
  readonly sockets?: string;
};

/** A directory like `/proc`. */
async function processes(t: ExecutionContext, found: Readonly<Record<string, Process>>): Promise<string> {
  const directory = await temporaryDirectory(t);
  for (const [pid, { exe, cgroup, inode, network, sockets = '' }] of Object.entries(found)) {
    const at = join(directory, pid);
    for (const name of ['ns', 'fd', 'net']) await mkdir(join(at, name), { recursive: true });
    await symlink(exe, join(at, 'exe'));
    await symlink(`net:[${network}]`, join(at, 'ns/net'));
    await symlink('/dev/null', join(at, 'fd/0'));
    await symlink(`socket:[${inode}]`, join(at, 'fd/7'));
    await writeFile(join(at, 'cgroup'), `0::${cgroup}\n`);
    await writeFile(join(at, 'net/tcp'), `  sl  local_address rem_address\n${sockets}`);
  }
  return directory;
}

/** 10.0.0.1:40000 to 10.0.0.2:80, established; and one that listens on port 22. */
const client =
  '   0: 0100000A:9C40 0200000A:0050 01 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 20 4 30 10 -1\n' +
  '   1: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4712 1 0\n' +
  '   2: 0100000A:9C41 0200000A:0050 06 00000000:00000000 00:00000000 00000000     0        0 0 3 0\n';

/** A segment of TCP over IPv4 as a record of a pcap file. */
function record(
  source: readonly number[],
  sourcePort: number,
  destination: readonly number[],
  port: number,
): Buffer {
  const frame = Buffer.alloc(54);
  frame.writeUInt16BE(0x0800, 12);
  frame.writeUInt8(0x45, 14);
  frame.writeUInt16BE(40, 16);
  frame.writeUInt8(6, 23);
  frame.set([...source, ...destination], 26);
  frame.writeUInt16BE(sourcePort, 34);
  frame.writeUInt16BE(port, 36);
  frame.writeUInt8(0x50, 46);
  const header = Buffer.alloc(16);
  header.writeUInt32LE(frame.length, 8);
  header.writeUInt32LE(frame.length, 12);
  return Buffer.concat([header, frame]);
}

async function setUp(t: ExecutionContext) {
  const directory = await processes(t, {
    '10': {
      exe: '/usr/bin/cu rl',
      cgroup: `/kubepods/${containerId}`,
      inode: '4711',
      network: '2',
      sockets: client,
    },
    // Of the same namespace, so it sees the same sockets, whichever of them is asked.
    '20': {
      exe: '/usr/sbin/sshd',
      cgroup: '/system.slice/ssh.service',
      inode: '4712',
      network: '2',
      sockets: client,
    },
  });
  await mkdir(join(directory, 'sys'));
  const names = containerNames({ container: (id) => (id === containerId ? 'web' : undefined) });
  const clock = new FakeClock();
  return { clock, owners: new Owners({ directory, resolver: async () => names, clock }) };
}

async function ownersIn(blocks: Uint8Array) {
  const header = pcapngHeader([{ name: 'eth0', linkType: 1, snapLength: 0 }]);
  const found: unknown[] = [];
  for await (const { comment } of new CaptureReader([header, blocks]))
    found.push(comment === undefined ? undefined : readOwner(comment));
  return found;
}

const ours = [10, 0, 0, 1] as const;
const theirs = [10, 0, 0, 2] as const;
const on = { index: 0, linkType: 1 };

test('packets both ways are of the process whose socket they pass, and of its container', async (t) => {
  const { owners } = await setUp(t);
  const curl = { pid: 10, process: 'cu rl', cgroup: `/kubepods/${containerId}`, container: 'web' };
  const records = [
    record(ours, 40_000, theirs, 80),
    record(theirs, 80, ours, 40_000),
    record(theirs, 5000, ours, 22), // to whoever listens
    record(ours, 40_001, theirs, 80), // of a connection that is over
    record(theirs, 5000, theirs, 5001),
  ];
  t.deepEqual(await ownersIn(await ownedRecords(Buffer.concat(records), on, owners)), [
    curl,
    curl,
    { pid: 20, process: 'sshd', cgroup: '/system.slice/ssh.service' },
    undefined,
    undefined,
  ]);
});

test('packets of others do not make every batch look at all sockets', async (t) => {
  const { owners, clock } = await setUp(t);
  await ownedRecords(record(theirs, 1, theirs, 2), on, owners);
  const known = record(ours, 40_000, theirs, 80);
  t.deepEqual(await ownersIn(await ownedRecords(known, on, owners)), [undefined]);
  clock.advance(199);
  t.deepEqual(await ownersIn(await ownedRecords(known, on, owners)), [undefined]);
  clock.advance(1);
  t.like(await ownersIn(await ownedRecords(known, on, owners)), [{ pid: 10 }]);
});

test('a clock that is set back keeps no owner unknown', async (t) => {
  const { owners, clock } = await setUp(t);
  await ownedRecords(record(theirs, 1, theirs, 2), on, owners);
  clock.setBack(3_600_000);
  const known = record(ours, 40_000, theirs, 80);
  t.like(await ownersIn(await ownedRecords(known, on, owners)), [{ pid: 10 }]);
});

/** A frame of Ethernet, or what `any` has in front of it, with IPv4 or IPv6 and TCP or UDP. */
function frame(linkType: number, version: 4 | 6, protocol: number): Buffer {
  const link = Buffer.alloc(linkType === 1 ? 14 : 20);
  link.writeUInt16BE(version === 4 ? 0x0800 : 0x86dd, linkType === 1 ? 12 : 0);
  const transport = Buffer.alloc(protocol === 6 ? 20 : 8);
  transport.writeUInt16BE(40_000, 0);
  transport.writeUInt16BE(8080, 2);
  if (protocol === 6) transport[12] = 0x50;
  else transport.writeUInt16BE(8, 4);
  const network = Buffer.alloc(version === 4 ? 20 : 40, 1);
  network[0] = version === 4 ? 0x45 : 0x60;
  if (version === 4) network.writeUInt16BE(network.length + transport.length, 2);
  else network.writeUInt16BE(transport.length, 4);
  if (version === 4) network.writeUInt16BE(0, 6);
  network[version === 4 ? 9 : 6] = protocol;
  return Buffer.concat([link, network, transport]);
}

test('a connection that is known is told from all others, however little they differ', (t) => {
  const known = new KnownEnds(1000);
  let seen = 0;
  for (const linkType of [1, 276])
    for (const version of [4, 6] as const)
      for (const protocol of [6, 17]) {
        const first = frame(linkType, version, protocol);
        const whole = { at: 0, originalBytes: first.length, linkType };
        const ends = known.of(first, { ...whole, end: first.length });
        t.truthy(ends);
        t.is(known.of(first, { ...whole, end: first.length }), ends, 'the same object');
        for (let bit = 0; bit < 8 * first.length; bit += 1) {
          const other = Buffer.from(first);
          other[bit >> 3]! ^= 1 << (bit & 7);
          const decoded = endsOf({ time: 0n, originalBytes: other.length, data: other, linkType });
          // A length or a sum that is wrong is no other connection.
          if (decoded === undefined) continue;
          t.deepEqual(known.of(other, { ...whole, end: other.length }), decoded, `bit ${bit} of ${version}`);
          seen += 1;
        }
        for (let end = 0; end < first.length; end += 1)
          t.notThrows(() => known.of(first, { ...whole, end }), `${end} bytes`);
      }
  t.true(seen > 1000, `${seen}`);
});

test('a piece of a datagram, and a header with options, are not taken for a connection that is known', (t) => {
  const known = new KnownEnds(1000);
  const first = frame(1, 4, 17);
  const packet = { at: 0, end: first.length, originalBytes: first.length, linkType: 1 };
  t.truthy(known.of(first, packet));
  const piece = Buffer.from(first);
  piece.writeUInt16BE(5, 20); // its offset: what stands where ports were is data
  t.is(known.of(piece, packet), undefined);
  const longer = Buffer.concat([first.subarray(0, 34), first.subarray(34, 38), first.subarray(34)]);
  longer[14] = 0x46;
  longer.writeUInt16BE(32, 16);
  longer.writeUInt16BE(1, 38);
  const ends = known.of(longer, { ...packet, end: longer.length, originalBytes: longer.length });
  t.is(ends?.localPort, 1);
});

test('no more connections are remembered than were asked for, and the oldest go', (t) => {
  const known = new KnownEnds(2);
  const of = (port: number): unknown => {
    const next = record(ours, port, theirs, 80);
    return known.of(next, { at: 16, end: next.length, originalBytes: 54, linkType: 1 });
  };
  const [first, second] = [of(1), of(2)];
  of(3);
  t.is(of(2), second);
  t.not(of(1), first);
  t.deepEqual(of(1), first);
});
