import { addon } from './addon.ts';
import { translated } from './errors.ts';
import { Question } from './question.ts';
import { Rows } from './rows.ts';

/** In the order of the addon's bits. */
export const socketProtocols = ['tcp', 'tcp6', 'udp', 'udp6', 'udplite', 'udplite6', 'raw', 'raw6'] as const;
export type SocketProtocol = (typeof socketProtocols)[number];

/** With a peer, or without one. */
export type SocketFilter = 'all' | 'connected' | 'listening';
const filters: readonly SocketFilter[] = ['all', 'connected', 'listening'];

export type SocketFacts = {
  readonly protocol: SocketProtocol;
  /** `10.0.0.5`, `fe80::1`. */
  readonly localAddress: string;
  /** Of a raw socket the number of its protocol. */
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** As the kernel counts them (include/net/tcp_states.h): 1 established, 7 closed, 10 listens. */
  readonly state: number;
  /** Bytes; of a listening socket of TCP the connections that wait, and how many may. */
  readonly receiveQueue: number;
  readonly sendQueue: number;
  /** 0 none, 1 sends again, 2 keepalive, 3 time-wait, 4 probes. */
  readonly timer: number;
  readonly timerMillis: number;
  readonly retransmits: number;
  readonly uid: number;
  /** 0: no process has it any more. */
  readonly inode: number;
  /** That it is bound to; `''` of most. */
  readonly interface: string;
  /** Who has it open; empty unless they were asked for. */
  readonly processes: readonly { readonly pid: number; readonly name: string }[];
};

export type ReadSocketsOptions = {
  readonly protocols: readonly SocketProtocol[];
  /** `all` by default. */
  readonly filter?: SocketFilter;
  /** Look into all processes for who has each socket open; needs root to see those of others. */
  readonly processes?: boolean;
  /** Another `/proc`, in tests. */
  readonly directory?: string;
  readonly signal?: AbortSignal;
};

const shape = { numbers: 11, texts: 4 };

/**
 * Sockets of our network namespace by netlink (sock_diag(7)), and from `/proc/net` where the kernel has no such interface for a
 * protocol. A thread of the addon reads them.
 *
 * @throws {NativeError} EBUSY when eight such questions wait for the kernel.
 */
export async function readSockets(options: ReadSocketsOptions): Promise<Rows<SocketFacts>> {
  const { protocols, filter = 'all', processes = false, directory = '/proc', signal } = options;
  const bits = protocols.reduce((all, each) => all | (1 << socketProtocols.indexOf(each)), 0);
  const { Sockets } = addon();
  const question = new Question(
    translated('sock_diag', () => new Sockets(directory, bits, filters.indexOf(filter), processes)),
    'sock_diag',
  );
  return new Rows(await question.answer(signal), shape, factsOf);
}

function factsOf(numbers: Float64Array, texts: readonly Buffer[]): SocketFacts {
  const [protocol = 0, localPort = 0, remotePort = 0, state = 0, receiveQueue = 0, sendQueue = 0] = numbers;
  const [timer = 0, timerMillis = 0, retransmits = 0, uid = 0, inode = 0] = numbers.subarray(6);
  const [localAddress = '', remoteAddress = '', name = '', owners = ''] = texts.map((text) =>
    text.toString(),
  );
  return {
    protocol: socketProtocols[protocol]!,
    localAddress,
    localPort,
    remoteAddress,
    remotePort,
    state,
    receiveQueue,
    sendQueue,
    timer,
    timerMillis,
    retransmits,
    uid,
    inode,
    interface: name,
    processes: processesOf(owners),
  };
}

/** Number and name by turns, a NUL behind each; no name has one. */
function processesOf(text: string): SocketFacts['processes'] {
  if (text === '') return [];
  const words = text.split('\0');
  return Array.from({ length: words.length >> 1 }, (_, index) => ({
    pid: Number(words[index * 2]),
    name: words[index * 2 + 1] ?? '',
  }));
}
