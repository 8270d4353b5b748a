import { type NetstatRequestInit, type Socket, SocketState, SocketTimer } from '@nodecore/api/socket';

/** A column of the table. */
export type Column = { readonly header: string; readonly cell: (socket: Socket) => string };

type ColumnFlags = Partial<
  Record<'extend' | 'programs' | 'timers' | 'pods' | 'verbose', true> & { readonly pod: string }
>;

const always: readonly Column[] = [
  { header: 'proto', cell: ({ protocol }) => protocol },
  { header: 'recv-q', cell: ({ receiveQueue }) => String(receiveQueue) },
  { header: 'send-q', cell: ({ sendQueue }) => String(sendQueue) },
  {
    header: 'local address',
    cell: ({ localAddress, localPort, interface: device }) => endOf(localAddress, localPort, device),
  },
  {
    header: 'foreign address',
    cell: ({ remoteAddress, remotePort }) => endOf(remoteAddress, remotePort, ''),
  },
  { header: 'state', cell: ({ state }) => (state === SocketState.CLOSE ? '' : stateOf(state)) },
];

const extended: readonly Column[] = [
  { header: 'uid', cell: ({ uid }) => String(uid) },
  { header: 'inode', cell: ({ inode }) => String(inode) },
];

const programs: Column = {
  header: 'pid/program name',
  cell: ({ processes }) =>
    processes.length === 0 ? '-' : processes.map(({ pid, name }) => `${pid}/${name}`).join(','),
};

const pods: Column = { header: 'pod', cell: ({ pod }) => pod };

const timers: Column = { header: 'timer', cell: timerOf };

/** Those that flags ask for. */
export function columnsOf(flags: ColumnFlags): readonly Column[] {
  const isAll = flags.verbose === true;
  return [
    ...always,
    ...(isAll || flags.extend === true ? extended : []),
    ...(isAll || flags.programs === true ? [programs] : []),
    ...(isAll || flags.pods === true || flags.pod !== undefined ? [pods] : []),
    ...(isAll || flags.timers === true ? [timers] : []),
  ];
}

/** A socket for programs. Processes are there when they were asked for: none is another answer than not asked. */
export function shownSocket(socket: Socket, { processes: isAsked }: NetstatRequestInit): object {
  const { state, timer, processes, ...same } = socket;
  return {
    ...same,
    state: stateOf(state),
    timer: wordOf(SocketTimer, timer).toLowerCase(),
    ...(isAsked === true && { processes }),
  };
}

/** As ss(8): the address of IPv6 in brackets, the interface behind a percent sign, no port as a star. */
function endOf(address: string, port: number, device: string): string {
  const shown = address.includes(':') ? `[${address}]` : address;
  return `${shown}${device === '' ? '' : `%${device}`}:${port === 0 ? '*' : port}`;
}

function stateOf(state: SocketState): string {
  return wordOf(SocketState, state);
}

/** As netstat(8): seconds left, how often something was sent again, probes without an answer. */
function timerOf({ timer, timerMillis, retransmits }: Socket): string {
  const isSending = timer === SocketTimer.ON;
  const [sentAgain, probes] = isSending ? [retransmits, 0] : [0, retransmits];
  const name = wordOf(SocketTimer, timer).toLowerCase();
  return `${name} (${(timerMillis / 1000).toFixed(2)}/${sentAgain}/${probes})`;
}

/** A number of a newer kernel or node has no word. */
function wordOf(words: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(words).find((word) => words[word] === value) ?? String(value);
}
