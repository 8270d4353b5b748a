import {
  type NetstatRequest,
  SocketFilter,
  type SocketInit,
  SocketState,
  SocketTimer,
} from '@nodecore/api/socket';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

async function socketNode(t: ExecutionContext, sockets: readonly SocketInit[] = []) {
  const asked: NetstatRequest[] = [];
  const node = await startFakeNode(t, {
    sockets: {
      netstat: (call) => {
        asked.push(call.request);
        for (const socket of sockets) call.write({ sockets: [socket] });
        call.end();
      },
    },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  return { endpoint: node.endpoint, asked, run: (line: string) => osctl(line.split(' '), { env }) };
}

const sockets: readonly SocketInit[] = [
  {
    protocol: 'tcp',
    localAddress: '127.0.0.53',
    localPort: 53,
    remoteAddress: '0.0.0.0',
    state: SocketState.LISTEN,
    receiveQueue: 2,
    sendQueue: 4096,
    interface: 'lo',
    uid: 65_534,
    inode: 77n,
    processes: [
      { pid: 7, name: 'dns\u001b[2J' },
      { pid: 8, name: 'dns' },
    ],
  },
  {
    protocol: 'tcp6',
    localAddress: 'fe80::1',
    localPort: 22,
    remoteAddress: '2001:db8::2',
    remotePort: 50_000,
    state: SocketState.ESTABLISHED,
    timer: SocketTimer.KEEPALIVE,
    timerMillis: 7_199_994,
    retransmits: 2,
    interface: 'eth0',
  },
  {
    protocol: 'tcp',
    localAddress: '10.0.0.5',
    localPort: 1,
    remoteAddress: '10.0.0.6',
    remotePort: 2,
    state: SocketState.FIN_WAIT1,
    timer: SocketTimer.ON,
    timerMillis: 250,
    retransmits: 3,
  },
  { protocol: 'udp6', localAddress: '::', localPort: 546, remoteAddress: '::', state: SocketState.CLOSE },
];

const headers = ['PROTO', 'RECV-Q', 'SEND-Q', 'LOCAL ADDRESS', 'FOREIGN ADDRESS', 'STATE'];

function cellsOf(out: string): string[][] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/u).slice(1));
}

test('addresses of IPv6 stand in brackets, an interface behind them, and no port is a star', async (t) => {
  const { run } = await socketNode(t, sockets);
  t.deepEqual(cellsOf((await run('netstat')).out), [
    headers,
    ['tcp', '2', '4096', '127.0.0.53%lo:53', '0.0.0.0:*', 'LISTEN'],
    ['tcp6', '0', '0', '[fe80::1]%eth0:22', '[2001:db8::2]:50000', 'ESTABLISHED'],
    ['tcp', '0', '0', '10.0.0.5:1', '10.0.0.6:2', 'FIN_WAIT1'],
    ['udp6', '0', '0', '[::]:546', '[::]:*'],
  ]);
});

test('each flag adds its columns, and -v all; what a program is called moves no cursor', async (t) => {
  const { run } = await socketNode(t, sockets.slice(0, 3));
  const added = async (line: string): Promise<string[][]> =>
    cellsOf((await run(`netstat ${line}`)).out).map((row) => row.slice(headers.length));
  t.deepEqual(await added('-x'), [
    ['UID', 'INODE'],
    ['65534', '77'],
    ['0', '0'],
    ['0', '0'],
  ]);
  t.deepEqual(await added('-p'), [['PID/PROGRAM NAME'], ['7/dns?[2J,8/dns'], ['-'], ['-']]);
  t.deepEqual(await added('-o'), [
    ['TIMER'],
    ['off (0.00/0/0)'],
    ['keepalive (7199.99/0/2)'],
    ['on (0.25/3/0)'],
  ]);
  t.deepEqual((await added('-v'))[0], ['UID', 'INODE', 'PID/PROGRAM NAME', 'POD', 'TIMER']);
});

test('flags say what is asked: both families and TCP and UDP with a peer, unless others are named', async (t) => {
  const { run, asked } = await socketNode(t);
  const rows: readonly (readonly [
    line: string,
    protocols: string,
    filter: SocketFilter,
    processes: boolean,
  ])[] = [
    ['', 'tcp tcp6 udp udp6', SocketFilter.CONNECTED, false],
    ['-a', 'tcp tcp6 udp udp6', SocketFilter.ALL, false],
    ['-l -a', 'tcp tcp6 udp udp6', SocketFilter.ALL, false],
    ['-tlp -4', 'tcp', SocketFilter.LISTENING, true],
    ['-u -6 -4', 'udp udp6', SocketFilter.CONNECTED, false],
    ['-U -w -6 -v', 'udplite6 raw6', SocketFilter.CONNECTED, true],
  ];
  for (const [line] of rows) t.is((await run(`ss ${line}`.trim())).code, 0, line);
  t.deepEqual(
    asked.map(({ protocols, filter, processes }) => [protocols.join(' '), filter, processes]),
    rows.map(([, ...wanted]) => wanted),
  );
});

test('pods are asked for by all or by name, and never by both', async (t) => {
  const { run, asked } = await socketNode(t);
  t.is((await run('netstat -k')).code, 0);
  t.is((await run('netstat shop/web')).code, 0);
  t.deepEqual(
    asked.map(({ pods, pod }) => [pods, pod]),
    [
      [true, ''],
      [false, 'shop/web'],
    ],
  );
  for (const line of ['netstat -k shop/web', 'netstat shop', 'netstat a/b/c', 'netstat a/'])
    t.is((await run(line)).code, 2, line);
  t.is(asked.length, 2);
});

test('programs get words for numbers, and processes when they asked for them', async (t) => {
  const { run, endpoint } = await socketNode(t, sockets);
  const json = async (line: string) => JSON.parse((await run(`${line} --output json`)).out) as object[];
  t.like((await json('netstat'))[1], {
    node: endpoint,
    protocol: 'tcp6',
    state: 'ESTABLISHED',
    timer: 'keepalive',
    timerMillis: 7_199_994,
    inode: 0,
  });
  t.false('processes' in (await json('netstat'))[0]!);
  t.deepEqual(
    (await json('netstat -p')).map((each) => (each as { processes: object[] }).processes.length),
    [2, 0, 0, 0],
  );
});

test('a state of a newer kernel is its number', async (t) => {
  const { run } = await socketNode(t, [{ ...sockets[1], state: 13 as SocketState }]);
  t.is(cellsOf((await run('netstat')).out)[1]?.at(-1), '13');
});
