import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

import { output, privateNetwork, program, root, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { readSockets, type SocketFacts, socketProtocols } from '../src/index.ts';

const judged = testWith(root, program('ss'), program('perl'));

test.before(privateNetwork);

/** Sockets of every kind, as many states as stay: all in this process. */
async function sockets(t: ExecutionContext): Promise<void> {
  for (const host of ['127.0.0.1', '::1', '::']) {
    const accepted: Socket[] = [];
    const server = createServer(
      { pauseOnConnect: true, keepAlive: true, keepAliveInitialDelay: 60_000 },
      (socket) => accepted.push(socket),
    );
    server.listen({ host, port: 0, backlog: 7, ipv6Only: host === '::1' });
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const client = createConnection({ host: host === '::' ? '127.0.0.1' : host, port });
    await once(client, 'connect');
    while (accepted.length === 0) await once(server, 'connection');
    // Stays in the queue of who does not read.
    await new Promise((resolve) => client.write(Buffer.alloc(1000), resolve));
    t.teardown(() => {
      for (const each of [client, ...accepted]) each.destroy();
      server.close();
    });
  }
  for (const [type, address] of [
    ['udp4', '127.0.0.1'],
    ['udp6', '::1'],
  ] as const) {
    const [bound, connected] = [createSocket(type), createSocket(type)];
    t.teardown(() => {
      bound.close();
      connected.close();
    });
    bound.bind(0, address);
    await once(bound, 'listening');
    connected.connect(bound.address().port, address);
    await once(connected, 'connect');
  }
}

/** A program that has sockets open until its input ends. */
async function perl(t: ExecutionContext, script: string): Promise<number> {
  const child = spawn('perl', ['-MSocket', '-e', `$|=1; ${script}; print "ready\\n"; <STDIN>`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(async () => {
    child.stdin.end();
    await once(child, 'exit');
  });
  await once(createInterface({ input: child.stdout }), 'line');
  return child.pid!;
}

const states = ['', 'ESTAB', 'SYN-SENT', 'SYN-RECV', 'FIN-WAIT-1', 'FIN-WAIT-2', 'TIME-WAIT', 'UNCONN'];
const laterStates = ['CLOSE-WAIT', 'LAST-ACK', 'LISTEN', 'CLOSING'];
const timers = ['', 'on', 'keepalive', 'timewait', 'persist'];

/** Where ss reads raw sockets from /proc/net, it says no inodes. */
function inodeOf(transport: string | undefined, inode: number | string): string {
  return transport === 'raw' ? '' : `ino:${inode}`;
}

function endOf(address: string, port: number): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port === 0 ? '*' : port}`;
}

/** A row in the words of ss; it writes both families of a socket as a star. */
function rowOf(facts: SocketFacts): string {
  const { protocol, state, receiveQueue, sendQueue, localAddress, localPort, remoteAddress, remotePort } =
    facts;
  return [
    protocol.replace('6', ''),
    [...states, ...laterStates][state],
    receiveQueue,
    sendQueue,
    endOf(localAddress, localPort),
    endOf(remoteAddress, remotePort),
    inodeOf(protocol.replace('6', ''), facts.inode),
    `pids:${facts.processes
      .map(({ pid, name }) => `${name}=${pid}`)
      .toSorted()
      .join(',')}`,
    `timer:${timers[facts.timer]}`,
  ].join(' ');
}

function endOfSs(text = ''): string {
  return text.replace(/^\*:/u, '[::]:');
}

/** The same of a line of ss. */
function rowOfSs(line: string): string {
  const [netid, state, receiveQueue, sendQueue, local, remote] = line.split(/\s+/u);
  const owners = Array.from(
    line.matchAll(/\("([^"]*)",pid=(\d+),fd=\d+\)/gu),
    ([, name, pid]) => `${name}=${pid}`,
  );
  return [
    netid,
    state,
    receiveQueue,
    sendQueue,
    endOfSs(local),
    endOfSs(remote),
    inodeOf(netid, /ino:(\d+)/u.exec(line)?.[1] ?? 0),
    `pids:${[...new Set(owners)].toSorted().join(',')}`,
    `timer:${/timer:\((\w+)/u.exec(line)?.[1] ?? ''}`,
  ].join(' ');
}

judged('sockets are those of ss: queues, states, owners, inodes and timers', async (t) => {
  await sockets(t);
  // A raw socket's port is its protocol; this kernel may show those in /proc/net only.
  await perl(
    t,
    'socket(A, AF_INET, SOCK_RAW, 1) or die; socket(B, AF_INET6, SOCK_RAW, 58) or die; socket(C, AF_INET, SOCK_DGRAM, 0) or die; bind(C, pack_sockaddr_in(4242, INADDR_ANY)) or die',
  );
  const all = await readSockets({
    protocols: socketProtocols.filter((each) => !each.startsWith('udplite')),
    processes: true,
  });
  const ss = await output(['ss', '-OHnatuweop']);
  const theirs = ss.trimEnd().split('\n').map(rowOfSs).toSorted();
  t.deepEqual(all.toArray().map(rowOf).toSorted(), theirs);
  t.true(theirs.length >= 16 && theirs.some((row) => row.includes(' ESTAB 1000 0 ')), ss);
  const keepalive = all.toArray().find(({ timer }) => timer === 2);
  t.true(keepalive !== undefined && keepalive.timerMillis > 30_000 && keepalive.timerMillis <= 60_000);
});

async function rows(options: Parameters<typeof readSockets>[0]): Promise<string[]> {
  return (await readSockets(options)).toArray().map(rowOf).toSorted();
}

/** Of one transport ss does not say which. */
async function judge(transport: 'tcp' | 'udp', ...flags: readonly string[]): Promise<string[]> {
  const ss = await output(['ss', '-OHnoe', `--${transport}`, ...flags]);
  return ss
    .trimEnd()
    .split('\n')
    .map((line) => rowOfSs(`${transport} ${line}`))
    .toSorted();
}

judged('a family, a transport and a filter show only their own', async (t) => {
  await sockets(t);
  t.deepEqual(await rows({ protocols: ['tcp'], filter: 'listening' }), await judge('tcp', '-4', '-l'));
  t.deepEqual(await rows({ protocols: ['tcp6'], filter: 'connected' }), await judge('tcp', '-6'));
  t.deepEqual(await rows({ protocols: ['udp6'], filter: 'listening' }), await judge('udp', '-6', '-l'));
  t.deepEqual(await rows({ protocols: ['udp'], filter: 'connected' }), await judge('udp', '-4'));
  t.deepEqual(await rows({ protocols: ['udp'] }), await judge('udp', '-4', '-a'));
});

judged('UDPLite is there where the kernel has it', async (t) => {
  const script = 'socket(A, AF_INET, SOCK_DGRAM, 136) and bind(A, pack_sockaddr_in(777, INADDR_LOOPBACK))';
  const pid = await perl(t, script);
  const known = await output(['sh', '-c', 'cat /proc/net/udplite 2>/dev/null || true']);
  const found = (await readSockets({ protocols: ['udplite', 'udplite6'], processes: true })).toArray();
  t.deepEqual(
    found.map(({ localAddress, localPort, processes }) => [localAddress, localPort, processes]),
    known.includes('0100007F:0309') ? [['127.0.0.1', 777, [{ pid, name: 'perl' }]]] : [],
  );
});

judged('10 000 sockets are all there, each with its owner, and the loop turns meanwhile', async (t) => {
  const script =
    'for $i (1..10000) { socket($s[$i], AF_INET, SOCK_DGRAM, 0) or die $!; bind($s[$i], pack_sockaddr_in(20000 + $i, inet_aton("127.0.0.1"))) or die $! }';
  const child = spawn(
    'sh',
    ['-c', `ulimit -n 12000 && exec perl -MSocket -e '$|=1; ${script} print "ready\n"; <STDIN>'`],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  t.teardown(async () => {
    child.stdin.end();
    await once(child, 'exit');
  });
  await once(createInterface({ input: child.stdout }), 'line');
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  turn();
  const rows = await readSockets({ protocols: ['udp'], processes: true });
  isDone = true;
  t.true(turns > 10, `${turns} turns`);
  t.is(rows.length, 10_000);
  t.is(new Set(rows.toArray().map(({ localPort }) => localPort)).size, 10_000);
  t.true(
    rows.toArray().every(({ processes: [owner] }) => owner?.pid === child.pid && owner?.name === 'perl'),
  );
});

judged('a program may be called anything, and several have one socket', async (t) => {
  const name = 'x\u001b[2J\n" 1';
  const child = spawn(
    'perl',
    [
      '-MSocket',
      '-e',
      'open(F, ">", "/proc/self/comm"); syswrite(F, $ARGV[0]); socket(A, AF_INET, SOCK_STREAM, 0); listen(A, 3); $p = fork(); $|=1; print "$p\\n" if $p; <STDIN>',
      name,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  t.teardown(async () => {
    child.stdin.end();
    await once(child, 'exit');
  });
  const [forked] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const [listener] = (
    await readSockets({ protocols: ['tcp'], filter: 'listening', processes: true })
  ).toArray();
  t.deepEqual(
    listener?.processes.toSorted((a, b) => a.pid - b.pid),
    [child.pid!, Number(forked)].toSorted((a, b) => a - b).map((pid) => ({ pid, name })),
  );
});
