import { setImmediate } from 'node:timers/promises';

import {
  type NetstatRequest,
  type NetstatResponseInit,
  SocketFilter as WireFilter,
  type SocketInit,
  type SocketServiceHandlers,
} from '@nodecore/api/socket';
import {
  readSockets,
  type ReadSocketsOptions,
  type Rows,
  type SocketFacts,
  type SocketFilter,
  type SocketProtocol,
  socketProtocols,
} from '@nodecore/native';

import { askKernel } from '../processes/kernel-question.ts';
import { ServerError } from '../server/errors.ts';
import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';
import { noContainerRuntime } from '../services/errors.ts';

export type SocketParts = {
  readonly read?: (options: ReadSocketsOptions) => Promise<Pick<Rows<SocketFacts>, 'length' | 'slice'>>;
};

/** So many make a message of some tens of kilobytes, in less than a millisecond. */
const atOnce = 128;
const usual: readonly SocketProtocol[] = ['tcp', 'tcp6', 'udp', 'udp6'];

const filters: Readonly<Record<number, SocketFilter | undefined>> = {
  [WireFilter.ALL]: 'all',
  [WireFilter.CONNECTED]: 'connected',
  [WireFilter.LISTENING]: 'listening',
};

/** Sockets of the node, for callers. */
export function socketHandlers(
  options: HandlerOptions,
  { read = readSockets }: SocketParts = {},
): SocketServiceHandlers {
  return {
    netstat: streaming(
      options,
      async function* (
        request: NetstatRequest,
        { signal }: CallContext,
      ): AsyncGenerator<NetstatResponseInit> {
        if (request.pods || request.pod !== '') throw noContainerRuntime();
        const { processes } = request;
        const question = { protocols: protocolsOf(request), filter: filterOf(request), processes, signal };
        const rows = await askKernel(() => read(question));
        for (let at = 0; at < rows.length; at += atOnce) {
          if (at > 0) await setImmediate(); // other calls take their turn between messages
          yield { sockets: rows.slice(at, at + atOnce).map(wireSocket) };
        }
      },
    ),
  };
}

/** @throws {ServerError} `ERR_SERVER_REQUEST` for words that are no protocols. */
function protocolsOf({ protocols }: NetstatRequest): readonly SocketProtocol[] {
  if (protocols.length === 0) return usual;
  const known: readonly string[] = socketProtocols;
  const unknown = protocols.find((each) => !known.includes(each));
  if (unknown !== undefined)
    throw new ServerError(
      'ERR_SERVER_REQUEST',
      `protocols: ${JSON.stringify(unknown)} is none of ${socketProtocols.join(', ')}`,
    );
  return socketProtocols.filter((each) => protocols.includes(each));
}

/** @throws {ServerError} `ERR_SERVER_REQUEST` for a number that a newer client knows. */
function filterOf({ filter }: NetstatRequest): SocketFilter {
  const known = filters[filter];
  if (known === undefined)
    throw new ServerError('ERR_SERVER_REQUEST', `filter: ${String(filter)} is not known`);
  return known;
}

function wireSocket({ inode, state, timer, processes, ...same }: SocketFacts): SocketInit {
  return {
    ...same,
    // The kernel's numbers are those of the protocol.
    state: state as NonNullable<SocketInit['state']>,
    timer: timer as NonNullable<SocketInit['timer']>,
    inode: BigInt(inode),
    processes: [...processes],
  };
}
