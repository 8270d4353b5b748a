import { NativeError, type ProcessFacts, type ReadSocketsOptions, type SocketFacts } from '@nodecore/native';
import type { Process } from '@nodecore/api/process';
import { SocketFilter, type Socket } from '@nodecore/api/socket';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import type { ProcessParts } from '../src/processes/process-service.ts';
import type { SocketParts } from '../src/sockets/socket-service.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

const idle: ProcessFacts = {
  pid: 1,
  ppid: 0,
  state: 'S',
  threads: 1,
  cpuSeconds: 0.5,
  virtualBytes: 2 ** 40,
  residentBytes: 4096,
  uid: 0,
  startMicros: 10_000,
  isKernelThread: false,
  nice: -20,
  command: 'init',
  executable: '/init',
  args: [],
  label: '',
  cgroup: '/',
};

function rows<Row>(all: readonly Row[]) {
  return { length: all.length, slice: (from: number, to: number) => all.slice(from, to) };
}

async function processNode(t: ExecutionContext, processes: ProcessParts) {
  const { insecure } = await apiNode(t, { processes });
  return insecure().activity;
}

async function sampleOf(activity: Awaited<ReturnType<typeof processNode>>) {
  const found: Process[] = [];
  const sizes: number[] = [];
  for await (const { processes, complete } of activity.processes()) {
    found.push(...processes);
    sizes.push(processes.length);
    if (complete) break;
  }
  return { found, sizes };
}

test('thousands of processes come in answers of some, in their order, and the last one says so', async (t) => {
  const all = Array.from({ length: 1_000 }, (_, index) => ({ ...idle, pid: index + 1 }));
  const { found, sizes } = await sampleOf(await processNode(t, { read: async () => rows(all) }));
  t.deepEqual(
    found.map(({ pid }) => pid),
    all.map(({ pid }) => pid),
  );
  t.true(Math.max(...sizes) <= 64 && sizes.length > 15);
  t.like(found[0], {
    nice: -20,
    virtualMemory: 2n ** 40n,
    cpuTime: 0.5,
    startMicros: 10_000n,
    kernelThread: false,
  });
});

test('no answer is larger than what clients take, whatever the arguments', async (t) => {
  const args = ['€'.repeat(32_000)];
  const all = Array.from({ length: 300 }, (_, index) => ({ ...idle, pid: index + 2, args }));
  const { found, sizes } = await sampleOf(await processNode(t, { read: async () => rows(all) }));
  t.is(found.length, 300);
  // Other programs take 4 MiB.
  t.true(Math.max(...sizes) * Buffer.byteLength(args[0] ?? '') < 2 << 20, `${Math.max(...sizes)} at once`);
});

test('a node without a process that it may see answers with a whole sample of none', async (t) => {
  const { found, sizes } = await sampleOf(await processNode(t, { read: async () => rows([]) }));
  t.deepEqual([found, sizes], [[], [0]]);
});

test('secrets of the command line that PID 1 was given, and of URLs, are left out', async (t) => {
  const all = [
    { ...idle, args: ['/init', 'os.config.inline=aHVudGVyMg==', 'os.link=https://f/?jointoken=hunter2'] },
    { ...idle, pid: 2, args: ['curl', 'https://me:hunter2@host/a?token=hunter2'] },
  ];
  const { found } = await sampleOf(await processNode(t, { read: async () => rows(all) }));
  t.deepEqual(
    found.map(({ args }) => args),
    [
      ['/init', 'os.config.inline=<redacted>', 'os.link=https://f/?<redacted>'],
      ['curl', 'https://<redacted>@host/a?<redacted>'],
    ],
  );
});

test('a watch takes a sample an interval, counted from its beginning', async (t) => {
  const clock = new FakeClock();
  let micros = 0n;
  let reads = 0;
  const activity = await processNode(t, {
    clock,
    clockMicros: () => micros,
    read: async () => {
      reads += 1;
      micros += 300_000n; // so long it takes
      return rows([idle]);
    },
  });
  const stamps: bigint[] = [];
  for await (const { complete, clockMicros } of activity.processes({ intervalMillis: 1000 })) {
    t.true(complete);
    stamps.push(clockMicros);
    if (stamps.length === 2) break;
    while (clock.sleepers === 0) await new Promise(setImmediate);
    clock.advance(699);
    await new Promise(setImmediate);
    t.is(reads, 1);
    micros += 700_000n;
    clock.advance(1);
  }
  t.deepEqual(stamps, [0n, 1_000_000n]);
});

test('an interval that is none is refused with the field', async (t) => {
  const activity = await processNode(t, {});
  for (const intervalMillis of [1, 99, 3_600_001]) {
    const first = activity.processes({ intervalMillis })[Symbol.asyncIterator]().next();
    await t.throwsAsync(first, { code: 'ERR_API_INVALID', message: /interval_millis/u });
  }
});

test('a kernel that keeps questions waiting is no defect: the next one is told so', async (t) => {
  const busy = new NativeError('ERR_NATIVE_SYSTEM_CALL', 'x', { syscall: 'pthread_create', errno: 'EBUSY' });
  const read = (): Promise<never> => Promise.reject(busy);
  const { insecure } = await apiNode(t, { processes: { read }, sockets: { read } });
  const { activity } = insecure();
  for (const call of [activity.processes(), activity.sockets()])
    await t.throwsAsync(call[Symbol.asyncIterator]().next(), { code: 'ERR_API_EXHAUSTED' });
});

const listener: SocketFacts = {
  protocol: 'tcp6',
  localAddress: '::1',
  localPort: 80,
  remoteAddress: '::',
  remotePort: 0,
  state: 10,
  receiveQueue: 1,
  sendQueue: 4096,
  timer: 2,
  timerMillis: 7,
  retransmits: 3,
  uid: 65_534,
  inode: 2 ** 40,
  interface: 'lo',
  processes: [{ pid: 7, name: 'a\u001b' }],
};

async function socketNode(t: ExecutionContext, all: readonly SocketFacts[] = [listener]) {
  const asked: ReadSocketsOptions[] = [];
  const read: SocketParts['read'] = async (options) => {
    asked.push(options);
    return rows(all);
  };
  return { ...(await apiNode(t, { sockets: { read } })), asked };
}

async function allOf(answers: AsyncIterable<{ readonly sockets: readonly Socket[] }>): Promise<Socket[]> {
  const found: Socket[] = [];
  for await (const { sockets } of answers) found.push(...sockets);
  return found;
}

test('a socket has on the wire what the kernel says of it', async (t) => {
  const { insecure } = await socketNode(t);
  const [found] = await allOf(insecure().activity.sockets({ processes: true }));
  t.deepEqual(found, { ...listener, inode: 2n ** 40n, pod: '' } as unknown as Socket);
});

test('protocols and filters are those that are asked for; none means TCP and UDP', async (t) => {
  const { insecure, asked } = await socketNode(t);
  const { activity } = insecure();
  await allOf(activity.sockets());
  await allOf(
    activity.sockets({ protocols: ['raw6', 'tcp', 'tcp'], filter: SocketFilter.LISTENING, processes: true }),
  );
  await allOf(activity.sockets({ filter: SocketFilter.CONNECTED }));
  t.deepEqual(
    asked.map(({ protocols, filter, processes }) => [protocols.join(' '), filter, processes]),
    [
      ['tcp tcp6 udp udp6', 'all', false],
      ['tcp raw6', 'listening', true],
      ['tcp tcp6 udp udp6', 'connected', false],
    ],
  );
});

test('what is no protocol and no filter is refused with the field; pods with the code of nodes without a runtime', async (t) => {
  const { insecure, asked } = await socketNode(t);
  const { activity } = insecure();
  const invalid = { code: 'ERR_API_INVALID' };
  await t.throwsAsync(allOf(activity.sockets({ protocols: ['sctp'] })), {
    ...invalid,
    message: /protocols: "sctp"/u,
  });
  await t.throwsAsync(allOf(activity.sockets({ filter: 9 as 0 })), { ...invalid, message: /filter: 9/u });
  for (const request of [{ pods: true }, { pod: 'a/b' }]) {
    const error = await t.throwsAsync(allOf(activity.sockets(request)), { code: 'ERR_API_CONFLICT' });
    t.is((error as { reason?: string }).reason, 'ERR_CONTAINER_RUNTIME');
  }
  t.deepEqual(asked, []);
});

test('readers may ask both, and who has no certificate before the first configuration', async (t) => {
  const open = await apiNode(t);
  t.true((await sampleOf(open.insecure().activity)).found.some(({ pid }) => pid === process.pid));
  const { as } = await apiNode(t, { persisted: rootDocument(ca) });
  await t.notThrowsAsync(allOf((await as(['os:reader'])).activity.sockets({ processes: true })));
  const denied = (await as(['os:capture'])).activity;
  await t.throwsAsync(allOf(denied.sockets()), { code: 'ERR_API_DENIED' });
  await t.throwsAsync(sampleOf(denied), { code: 'ERR_API_DENIED' });
});
