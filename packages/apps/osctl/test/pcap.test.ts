import { mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { failure } from '@nodecore/api';
import {
  CaptureEnd,
  CaptureFormat,
  type CaptureRequest,
  type CaptureResponseInit,
  type CaptureServiceHandlers,
} from '@nodecore/api/capture';
import {
  CaptureReader,
  pcapHeader,
  pcapngHeader,
  pcapngPackets,
  ownerComment,
  pcapngStatistics,
} from '@nodecore/capture/formats';
import { output, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

/** A UDP packet to port 53 of 10.0.0.2, as a record of a pcap file. */
function record(second: number, payloadBytes = 4): Buffer {
  const frame = Buffer.alloc(42 + payloadBytes);
  frame.writeUInt16BE(0x0800, 12);
  frame.writeUInt8(0x45, 14);
  frame.writeUInt16BE(28 + payloadBytes, 16);
  frame.writeUInt8(64, 22);
  frame.writeUInt8(17, 23);
  frame.set([10, 0, 0, 1, 10, 0, 0, 2], 26);
  frame.writeUInt16BE(9999, 34);
  frame.writeUInt16BE(4242, 36);
  frame.writeUInt16BE(8 + payloadBytes, 38);
  const header = Buffer.alloc(16);
  header.writeUInt32LE(second, 0);
  header.writeUInt32LE(frame.length, 8);
  header.writeUInt32LE(frame.length, 12);
  return Buffer.concat([header, frame]);
}

const source = { name: 'eth0', linkType: 1, snapLength: 262_144, program: '(000) ret      #262144\n' };
const counts = { seen: 3n, received: 3n, dropped: 0n, truncated: 0n, bytes: 186n };
const pcap: readonly CaptureResponseInit[] = [
  { start: { id: 'a', format: CaptureFormat.PCAP, sources: [source], header: pcapHeader(1, 262_144) } },
  { data: Buffer.concat([record(1), record(2)]) },
  { progress: { seen: 2n, received: 2n } },
  { data: record(3) },
  { report: { end: CaptureEnd.PACKETS, counts } },
];

const both = [source, { ...source, name: 'eth1' }];
const pcapng: readonly CaptureResponseInit[] = [
  { start: { id: 'a', format: CaptureFormat.PCAPNG, sources: both, header: pcapngHeader(both) } },
  { data: pcapngPackets(record(1), 0) },
  { data: pcapngPackets(record(2), 1) },
  {
    report: {
      end: CaptureEnd.DURATION,
      counts: { seen: 9n, received: 2n, dropped: 7n, truncated: 1n },
      trailer: pcapngStatistics({ interface: 1, started: 0n, ended: 1n, received: 9n, dropped: 7n }),
    },
  },
];

function answering(responses: readonly CaptureResponseInit[], seen: CaptureRequest[] = []) {
  return {
    capture: (call) => {
      seen.push(call.request);
      for (const response of responses) call.write(response);
      call.end();
    },
    interfaces: (_call, answer) => {
      answer(null, { interfaces: [{ name: 'eth0', index: 2 }, { name: 'eth1', index: 3 }, { name: 'any' }] });
    },
  } satisfies Partial<CaptureServiceHandlers>;
}

/** Sends the first messages, and the others when something has happened. */
function inTwo(first: number, happened: Promise<void>): CaptureServiceHandlers['capture'] {
  return (call) => {
    for (const response of pcap.slice(0, first)) call.write(response);
    const rest = async (): Promise<void> => {
      await happened;
      for (const response of pcap.slice(first)) call.write(response);
      call.end();
    };
    void rest();
  };
}

async function node(t: ExecutionContext, captures: Partial<CaptureServiceHandlers>) {
  const { endpoint } = await startFakeNode(t, { captures });
  return { endpoint, env: await clientConfig(t, { endpoints: [endpoint], roles: ['os:capture'] }) };
}

async function packetsOf(...chunks: readonly Uint8Array[]): Promise<number[]> {
  const seconds: number[] = [];
  const reader = new CaptureReader(chunks);
  for await (const { time } of reader) seconds.push(Number(time / 1_000_000_000n));
  return reader.truncated ? [-1] : seconds;
}

test('packets are printed a line each, and what became of them goes to standard error', async (t) => {
  const seen: CaptureRequest[] = [];
  const { env } = await node(t, answering(pcap, seen));
  const { code, out, error } = await osctl(['pcap'], { env });
  t.is(code, 0, error);
  const lines = out.trimEnd().split('\n');
  t.is(lines.length, 3);
  for (const line of lines)
    t.regex(line, /^\d\d:\d\d:0\d\.\d{6} IP 10\.0\.0\.1\.9999 > 10\.0\.0\.2\.4242: UDP, length 4$/);
  t.is(error, 'capturing on eth0 (EN10MB)\n3 packets received, 0 dropped\n');
  t.like(seen[0], { interfaces: ['eth0'], promiscuous: false, format: CaptureFormat.UNSPECIFIED });
});

test('the flags say what is asked of the node', async (t) => {
  const seen: CaptureRequest[] = [];
  const { env } = await node(t, answering(pcap, seen));
  const flags =
    '-i eth0 -i eth1,eth2 --duration 1.5s --promiscuous --count 10 -s 96 --direction in --include-api-traffic --pcapng';
  await osctl(['tcpdump', ...flags.split(' '), '--bpf-filter', ' tcp port 443\n'], { env });
  t.deepEqual(seen, [
    {
      interfaces: ['eth0', 'eth1', 'eth2'],
      promiscuous: true,
      snapLength: 96,
      filter: 'tcp port 443',
      instructions: [],
      direction: 1,
      durationMillis: 1500,
      packets: 10n,
      bytes: 0n,
      format: CaptureFormat.PCAPNG,
      includeApiTraffic: true,
      owners: false,
    },
  ]);
});

const programs = {
  '-d': '(000) ldh      [12]\n(001) jeq      #0x800           jt 2\tjf 3\n(002) ret      #262144\n(003) ret      #0\n',
  '-dd':
    '{ 0x28, 0, 0, 0x0000000c },\n{ 0x15, 0, 1, 0x00000800 },\n{ 0x6, 0, 0, 0x00040000 },\n{ 0x6, 0, 0, 0x00000000 },\n',
  '-ddd': '4\n40 0 0 12\n21 0 1 2048\n6 0 0 262144\n6 0 0 0\n',
};

for (const [form, text] of Object.entries(programs))
  test(`instructions as tcpdump ${form} prints them are sent as instructions, also from a file`, async (t) => {
    const seen: CaptureRequest[] = [];
    const { env } = await node(t, answering(pcap, seen));
    const file = join(await temporaryDirectory(t), 'filter');
    await writeFile(file, text);
    await osctl(['pcap', '--bpf-filter', text], { env });
    await osctl(['pcap', '--bpf-filter', `@${file}`], { env });
    for (const request of seen) {
      t.is(request.filter, '');
      t.deepEqual(request.instructions, [
        { code: 40, jt: 0, jf: 0, k: 12 },
        { code: 21, jt: 0, jf: 1, k: 2048 },
        { code: 6, jt: 0, jf: 0, k: 262_144 },
        { code: 6, jt: 0, jf: 0, k: 0 },
      ]);
    }
    t.is(seen.length, 2);
  });

test('instructions that make no sense are a usage error that says where, and no node is asked', async (t) => {
  const { code, error } = await osctl(['pcap', '--bpf-filter', '{ 0x6, 0, 0, 0x1 },\n{ 0x28, 0, 0, 1 },']);
  t.is(code, 2);
  t.regex(error, /^osctl: bpf: line 2: /);
});

test('a filter that the node can not compile is a usage error with a caret', async (t) => {
  const text = 'bpf: filter, column 5: "prot" can\'t stand here\n  tcp prot 80\n      ^^^^';
  const { env, endpoint } = await node(t, {
    capture: (call) => {
      call.emit('error', failure(status.INVALID_ARGUMENT, text, { code: 'ERR_BPF_FILTER' }));
    },
  });
  const { code, error } = await osctl(['pcap', '--bpf-filter', 'tcp prot 80'], { env });
  t.is(code, 2);
  t.is(error, `osctl: ${endpoint}: ${text.replaceAll('\n', '\nosctl: ')}\n`);
});

test('programs get a JSON object per packet', async (t) => {
  const { env, endpoint } = await node(t, answering(pcapng));
  const { out, error } = await osctl(['pcap', '-i', 'eth0,eth1', '--json'], { env });
  const packets = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  t.like(packets, [
    { node: endpoint, interface: 'eth0', time: '1.000000000', length: 46 },
    { node: endpoint, interface: 'eth1', time: '2.000000000', length: 46 },
  ]);
  t.is(error.split('\n')[1], '2 packets received, 7 dropped, 1 cut to the snap length');
});

test('lines of several interfaces begin with the name of theirs', async (t) => {
  const { env } = await node(t, answering(pcapng));
  const { out } = await osctl(['pcap', '-i', 'eth0,eth1'], { env });
  t.regex(out, /^eth0 \d\d:.* UDP, length 4\neth1 \d\d:.* UDP, length 4\n$/);
});

test('-v shows what the kernel runs', async (t) => {
  const { env } = await node(t, answering(pcap));
  const { error } = await osctl(['pcap', '-v'], { env });
  t.regex(error, /\neth0 runs\n\(000\) ret {6}#262144\n/);
});

test('a file is for its owner only, never replaces another without --force, and grows under its name', async (t) => {
  const written = Promise.withResolvers<void>();
  const { env } = await node(t, {
    capture: inTwo(2, written.promise),
  });
  const file = join(await temporaryDirectory(t), 'a.pcap');
  const running = osctl(['pcap', '-o', file], { env });
  const read = async (): Promise<Buffer> => await readFile(file).catch(() => Buffer.alloc(0));
  while ((await read()).length < 24 + 2 * 62); // what has come is there, though the capture goes on
  t.deepEqual(await packetsOf(await read()), [1, 2]);
  written.resolve();
  t.is((await running).code, 0);
  t.deepEqual(await packetsOf(await read()), [1, 2, 3]);
  t.is((await stat(file)).mode & 0o777, 0o600);
  const refused = await osctl(['pcap', '-o', file], { env });
  t.is(refused.code, 2);
  t.regex(refused.error, /a\.pcap is there already; .*--force/);
  t.is((await osctl(['pcap', '-o', file, '--force'], { env })).code, 0);
});

test('--force replaces a link, not what it leads to, and nothing when the capture does not begin', async (t) => {
  const { env } = await node(t, answering(pcap));
  const failing = await node(t, {
    capture: (call) => void call.emit('error', failure(status.NOT_FOUND, 'no interface eth0')),
  });
  const directory = await temporaryDirectory(t);
  const [file, target] = [join(directory, 'a.pcap'), join(directory, 'other')];
  await writeFile(target, 'precious');
  await symlink(target, file);
  t.is((await osctl(['pcap', '-o', file, '--force'], { env: failing.env })).code, 3);
  t.is(await readFile(file, 'utf8'), 'precious');
  t.is((await osctl(['pcap', '-o', file, '--force'], { env })).code, 0);
  t.is(await readFile(target, 'utf8'), 'precious');
  t.deepEqual(await packetsOf(await readFile(file)), [1, 2, 3]);
});

test('raw packets go to standard output as a file', async (t) => {
  const { env } = await node(t, answering(pcapng));
  const chunks: Uint8Array[] = [];
  const { code } = await osctl(['pcap', '-i', 'eth0,eth1', '-o', '-'], {
    env,
    onBytes: (bytes) => chunks.push(bytes),
  });
  t.is(code, 0);
  const reader = new CaptureReader(chunks);
  const names: (string | undefined)[] = [];
  for await (const packet of reader) names.push(reader.interfaces[packet.interface]?.name);
  t.deepEqual(names, ['eth0', 'eth1']);
  t.deepEqual(reader.statistics, [{ interface: 1, received: 9n, dropped: 7n }]);
});

for (const [name, responses] of Object.entries({ pcap, pcapng }))
  test(`a ring of ${name} files: each is whole, none is too large, the newest stay`, async (t) => {
    const [start, ...rest] = responses;
    const seconds = [1, 2, 3, 4, 5, 6, 7];
    const records = seconds.map((second) => {
      const each = record(second, second === 4 ? 400 : 4);
      return name === 'pcap' ? each : pcapngPackets(each, 0);
    });
    const last = rest.at(-1) ?? {};
    const { env } = await node(t, answering([start ?? {}, { data: Buffer.concat(records) }, last]));
    const directory = await temporaryDirectory(t);
    const headerBytes = start?.start?.header?.length ?? 0;
    const most = headerBytes + 2 * (records[0]?.length ?? 0);
    const size = ['--file-size', `${most}`, '--keep', '4'];
    const { code, error } = await osctl(['pcap', '-o', join(directory, `a.${name}`), ...size], { env });
    t.is(code, 0, error);
    const names = (await readdir(directory)).toSorted();
    t.deepEqual(
      names,
      [1, 2, 3, 4].map((number) => `a-0000${number}.${name}`),
    );
    const files = await Promise.all(names.map((each) => readFile(join(directory, each))));
    t.deepEqual(await Promise.all(files.map((file) => packetsOf(file))), [[3], [4], [5, 6], [7]]);
    t.is((await osctl(['pcap', '-o', join(directory, `a.${name}`), ...size], { env })).code, 2);
    t.is((await osctl(['pcap', '-o', join(directory, `a.${name}`), ...size, '--force'], { env })).code, 0);
  });

test('an interruption ends the capture in order: its packets, its report, exit code 0', async (t) => {
  const stopped: string[] = [];
  const stop = Promise.withResolvers<void>();
  const { env } = await node(t, {
    capture: inTwo(2, stop.promise),
    stop: ({ request }, answer) => {
      stopped.push(request.id);
      stop.resolve();
      answer(null, {});
    },
  });
  const interrupt = new AbortController();
  const onOutput = (): void => interrupt.abort(new Error('interrupted'));
  const { code, out, error } = await osctl(['pcap'], { env, signal: interrupt.signal, onOutput });
  t.is(code, 0, error);
  t.deepEqual(stopped, ['a']);
  t.is(out.trimEnd().split('\n').length, 3);
  t.regex(error, /3 packets received, 0 dropped\n$/);
});

test('a capture that ends by itself while it is interrupted still gives its report', async (t) => {
  const stop = Promise.withResolvers<void>();
  const { env } = await node(t, {
    capture: inTwo(2, stop.promise),
    stop: (_call, answer) => {
      answer(failure(status.NOT_FOUND, 'no such capture'));
      stop.resolve();
    },
  });
  const interrupt = new AbortController();
  const onOutput = (): void => interrupt.abort(new Error('interrupted'));
  const { code, error } = await osctl(['pcap'], { env, signal: interrupt.signal, onOutput });
  t.is(code, 0);
  t.regex(error, /3 packets received, 0 dropped\n$/);
});

test('a node that does not end the capture is left, with what is known of it', async (t) => {
  const { env } = await node(t, {
    capture: (call) => {
      for (const response of pcap.slice(0, 4)) call.write(response);
    },
    stop: (_call, answer) => answer(failure(status.UNAVAILABLE, 'going down')),
  });
  const interrupt = new AbortController();
  const onOutput = (out: string): void => {
    if (out.split('\n').length > 3) interrupt.abort(new Error('interrupted'));
  };
  const { code, error } = await osctl(['pcap'], { env, signal: interrupt.signal, onOutput });
  t.is(code, 130);
  t.regex(error, /2 packets received, 0 dropped, the end was not waited for\n$/);
});

test('a capture that breaks off keeps its packets and tells the reason last', async (t) => {
  const { env } = await node(t, {
    capture: (call) => {
      for (const response of pcap.slice(0, 4)) call.write(response);
      call.write({ report: { end: CaptureEnd.FAILED, counts } });
      const info = { code: 'ERR_CAPTURE_INTERFACE_DOWN' };
      call.emit('error', failure(status.FAILED_PRECONDITION, 'eth0 went away; there are lo, any', info));
    },
  });
  const file = join(await temporaryDirectory(t), 'a.pcap');
  const { code, error } = await osctl(['pcap', '-o', file], { env });
  t.is(code, 1);
  t.regex(error, /3 packets received, 0 dropped\nosctl: .*there are lo, any \(request [0-9a-f]{16}\)\n$/);
  t.deepEqual(await packetsOf(await readFile(file)), [1, 2, 3]);
});

test('several nodes: each line, and each file, says which', async (t) => {
  const first = await node(t, answering(pcap));
  const second = await node(t, answering(pcap));
  const nodes = ['-n', `${first.endpoint},${second.endpoint}`, '-e', `${first.endpoint},${second.endpoint}`];
  const { out, error } = await osctl(['pcap', ...nodes], { env: first.env });
  for (const { endpoint } of [first, second]) {
    t.is(out.split('\n').filter((line) => line.startsWith(`${endpoint}: `)).length, 3);
    t.true(error.includes(`${endpoint}: 3 packets received, 0 dropped\n`));
  }
  const directory = await temporaryDirectory(t);
  await osctl(['pcap', ...nodes, '-o', join(directory, 'a.pcap')], { env: first.env });
  const names = [first, second].map(({ endpoint }) => `a-${endpoint.replace(':', '_')}.pcap`);
  t.deepEqual((await readdir(directory)).toSorted(), names.toSorted());
  const { code } = await osctl(['pcap', ...nodes, '-o', '-'], { env: first.env });
  t.is(code, 2);
});

test('a capture on the node says where it is', async (t) => {
  const seen: CaptureRequest[] = [];
  const path = '/var/lib/nodecore/captures/a.pcapng';
  const start = { id: 'a', format: CaptureFormat.PCAPNG, sources: [source], path };
  const report = { end: CaptureEnd.SPACE, counts: { seen: 3n, received: 3n, dropped: 0n }, path };
  const { env } = await node(t, answering([{ start }, { report }], seen));
  const size = ['--file-size', '10MB', '--keep', '5'];
  const { code, out, error } = await osctl(['pcap', '--write-on-node', 'a.pcapng', ...size], { env });
  t.deepEqual([code, out], [0, '']);
  t.like(seen[0], {
    format: CaptureFormat.PCAPNG,
    file: { name: 'a.pcapng', nextBytes: 10_000_000n, keep: 5 },
  });
  t.is(
    error,
    `capturing on eth0 (EN10MB), on the node into ${path}\n3 packets received, 0 dropped, the node has no more room for the file\n`,
  );
});

for (const args of [
  '-o a.pcap --write-on-node a.pcap',
  '-o a.pcap --json',
  '--file-size 10MB',
  '-o a.pcap --keep 3',
  '--force',
  '--count 0',
  '--count x',
  '--file-size 1XB -o a.pcap',
  '--direction up',
  '--duration soon',
  '--duration 9999h',
  '-i eth0,',
  '--bpf-filter @/nonexistent',
  '-o /nonexistent/a.pcap',
])
  test(`${args} is a usage error`, async (t) => {
    const { env } = await node(t, answering(pcap));
    t.is((await osctl(['pcap', ...args.split(' ')], { env })).code, 2);
  });

test('a directory that is in the way is refused before the node is asked', async (t) => {
  const seen: CaptureRequest[] = [];
  const { env } = await node(t, answering(pcap, seen));
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'a.pcap'));
  const { code } = await osctl(['pcap', '-o', join(directory, 'a.pcap')], { env });
  t.is(code, 2);
  t.deepEqual(seen, []);
});

test('flags and interfaces are completed', async (t) => {
  const { env } = await node(t, answering(pcap));
  const complete = async (...words: string[]): Promise<string[]> => {
    const { out } = await osctl(['__complete', '--', 'pcap', ...words], { env });
    return out.split('\n').flatMap((line) => line.split('\t')[0] || []);
  };
  t.deepEqual(await complete('-i', 'e'), ['eth0', 'eth1']);
  t.deepEqual(await complete('--inter'), ['--interface']);
  t.deepEqual(await complete('--direction', ''), ['in', 'out', 'both']);
  t.deepEqual(await complete('-o', ''), [':files'], 'the shell completes files');
});

type FileCall = Parameters<CaptureServiceHandlers['readFile']>[0];

/** `a.pcap` in two pieces; there is no other. */
function sendFile(name: string, call: FileCall): void {
  if (name === 'a.pcap') {
    for (const data of [pcapHeader(1, 262_144), record(1)]) call.write({ data });
    call.end();
  } else {
    call.emit('error', failure(status.NOT_FOUND, 'there is no such file', { code: 'ERR_CAPTURES_FILE' }));
  }
}

/** A node with one file, `a.pcap`. */
function keeping(removed: string[] = []) {
  return {
    files: (_call, answer) =>
      answer(null, { files: [{ name: 'a.pcap', sizeBytes: 1234n, modifiedMillis: 1_795_250_344_343n }] }),
    readFile: (call) => sendFile(call.request.name, call),
    removeFile: (call, answer) => {
      removed.push(call.request.name);
      answer(null, {});
    },
  } satisfies Partial<CaptureServiceHandlers>;
}

test('files on the node are listed, fetched and removed', async (t) => {
  const removed: string[] = [];
  const { env, endpoint } = await node(t, keeping(removed));
  const listed = await osctl(['pcap', '--list-on-node'], { env });
  t.is(listed.code, 0, listed.error);
  t.regex(listed.out, /a\.pcap +1\.23 kB +2026-11-21T\S+Z/);
  t.true(listed.out.includes(endpoint));
  const json = await osctl(['pcap', '--list-on-node', '--json'], { env });
  t.like(JSON.parse(json.out), { 0: { node: endpoint, name: 'a.pcap' } }, json.error);
  const path = join(await temporaryDirectory(t), 'here.pcap');
  const fetched = await osctl(['pcap', '--fetch-from-node', 'a.pcap', '-o', path], { env });
  t.is(fetched.code, 0, fetched.error);
  t.deepEqual(await packetsOf(await readFile(path)), [1]);
  t.is((await stat(path)).mode & 0o777, 0o600);
  const chunks: Uint8Array[] = [];
  await osctl(['pcap', '--fetch-from-node', 'a.pcap', '-o', '-'], {
    env,
    onBytes: (bytes) => chunks.push(bytes),
  });
  t.deepEqual(await packetsOf(...chunks), [1]);
  t.is((await osctl(['pcap', '--remove-on-node', 'a.pcap'], { env })).code, 0);
  t.deepEqual(removed, ['a.pcap']);
});

test('a file that is there stays unless it may go, and what the node does not have leaves none', async (t) => {
  const { env } = await node(t, keeping());
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'here.pcap');
  await writeFile(path, 'mine');
  const fetch = async (name: string, ...more: string[]) =>
    await osctl(['pcap', '--fetch-from-node', name, '-o', path, ...more], { env });
  t.is((await fetch('a.pcap')).code, 2);
  t.is(await readFile(path, 'utf8'), 'mine');
  t.is((await fetch('a.pcap', '--force')).code, 0);
  t.deepEqual(await packetsOf(await readFile(path)), [1]);
  t.is((await stat(path)).mode & 0o777, 0o600);
  t.is((await fetch('b.pcap', '--force')).code, 3);
  t.deepEqual(
    await packetsOf(await readFile(path)),
    [1],
    'what was there stays when the node has no such file',
  );
  t.deepEqual(await readdir(directory), ['here.pcap']);
  await rm(path);
  await output(['mkfifo', path]);
  const special = await fetch('a.pcap', '--force');
  t.is(special.code, 2);
  t.regex(special.error, /is no regular file, and nothing else is replaced/);
  t.true((await stat(path)).isFIFO());
});

for (const args of [
  '--fetch-from-node a.pcap',
  '--list-on-node --remove-on-node a.pcap',
  '--list-on-node --write-on-node a.pcap',
])
  test(`${args} is a usage error, too`, async (t) => {
    const { env } = await node(t, keeping());
    t.is((await osctl(['pcap', ...args.split(' ')], { env })).code, 2);
  });

const owner = { process: 'curl', pid: 4711, cgroup: '/system.slice/x.service' };
const inContainer = { process: 'nginx', pid: 12, cgroup: '/pods/web', container: 'web' };
const owned: readonly CaptureResponseInit[] = [
  { start: { id: 'a', format: CaptureFormat.PCAPNG, sources: [source], header: pcapngHeader([source]) } },
  {
    data: pcapngPackets(Buffer.concat([record(1), record(2, 100), record(3), record(4)]), 0, [
      ownerComment(owner),
      ownerComment(inContainer),
      ownerComment(owner),
      undefined,
    ]),
  },
  { report: { end: CaptureEnd.DURATION, counts: { seen: 4n, received: 4n, dropped: 0n, truncated: 4n } } },
];

test('packets are counted by process, container and flow, those with the most bytes first', async (t) => {
  const seen: CaptureRequest[] = [];
  const { env } = await node(t, answering(owned, seen));
  const table = async (by: string): Promise<string[][]> => {
    const { code, out, error } = await osctl(['pcap', '--by', by], { env });
    t.is(code, 0, error);
    t.is(error, 'capturing on eth0 (EN10MB)\n4 packets received, 0 dropped\n');
    return out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {3,}/));
  };
  t.deepEqual(await table('process'), [
    ['PROCESS', 'PID', 'CONTAINER', 'PACKETS', 'BYTES'],
    ['nginx', '12', 'web', '1', '142 B'],
    ['curl', '4711', '-', '2', '92 B'],
    ['-', '-', '-', '1', '46 B'],
  ]);
  t.deepEqual(await table('container'), [
    ['CONTAINER', 'CGROUP', 'PACKETS', 'BYTES'],
    ['web', '-', '1', '142 B'],
    ['-', '/system.slice/x.service', '2', '92 B'],
    ['-', '-', '1', '46 B'],
  ]);
  t.deepEqual(await table('flow'), [
    ['PROTOCOL', 'A', 'B', 'PACKETS', 'BYTES'],
    ['udp', '10.0.0.1.9999', '10.0.0.2.4242', '4', '280 B'],
  ]);
  t.deepEqual(
    seen.map(({ owners, snapLength, format }) => [owners, snapLength, format]),
    [
      [true, 192, CaptureFormat.PCAPNG],
      [true, 192, CaptureFormat.PCAPNG],
      [false, 192, CaptureFormat.UNSPECIFIED],
    ],
  );
});

test('programs get those who talk as JSON', async (t) => {
  const { env } = await node(t, answering(owned));
  const { out } = await osctl(['pcap', '--by', 'process', '-o', 'json'], { env });
  const [first, , last] = JSON.parse(out) as object[];
  t.like(first, { process: 'nginx', pid: 12, container: 'web', packets: 1, bytes: 142 });
  t.like(last, { packets: 1, bytes: 46, process: undefined });
  t.is((await osctl(['pcap', '--by', 'flow', '-o', 'a.pcap'], { env })).code, 2);
  t.is((await osctl(['pcap', '--by', 'flow', '--write-on-node', 'a'], { env })).code, 2);
  t.is((await osctl(['pcap', '--by', 'user'], { env })).code, 2);
});

test('lines say whose a packet is, where that was asked for', async (t) => {
  const { env } = await node(t, answering(owned));
  const { out } = await osctl(['pcap', '--owners'], { env });
  t.regex(out.split('\n')[0] ?? '', / \{process=curl pid=4711 cgroup=\/system\.slice\/x\.service\}$/);
  const { out: json } = await osctl(['pcap', '--owners', '--json'], { env });
  t.like(JSON.parse(json.split('\n')[1] ?? ''), { owner: inContainer });
});
