import type { ErrorInfo } from '../../gen/nodecore-v1.js';
import { ApiError } from '../errors.ts';
import { codeOfStatus, statusCodes } from '../status.ts';
import type { CallOptions, Channel } from './channel.ts';
import type { ConnectionFault } from './connection-fault.ts';
import { faultOf } from './fault.ts';

/** How a call ended that failed. */
export type Failure = {
  /** gRPC's. */
  readonly code: number;
  readonly details: string;
  /** What else the node said. */
  readonly info: ErrorInfo | undefined;
  /** The id that the call was sent with. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
};

type Connector = Pick<Channel['connector'], 'failure' | 'wasSecured' | 'port' | 'proxy'>;
type Told = { readonly words: string; readonly fault?: ConnectionFault | undefined };

/** The error of a call: what the node answered, or why there was no connection to it. */
export function apiError(
  { code, details, info, requestId, cause }: Failure,
  { connector, endpoint }: { readonly connector: Connector; readonly endpoint: string },
  { node }: Pick<CallOptions, 'node'>,
): ApiError {
  // The status says only UNAVAILABLE; what happened to the connection says more.
  if (code === statusCodes.unavailable && connector.failure !== undefined) return connector.failure;
  const { words, fault } = told(code, details, connector);
  return new ApiError(codeOfStatus(code), `${node ?? endpoint}: ${words}`, {
    endpoint,
    node,
    reason: info?.code,
    problems: info?.problems,
    // A call that nobody has heard is in no log.
    requestId: connector.wasSecured && (fault ?? 'lost') === 'lost' ? requestId : undefined,
    fault,
    cause,
  });
}

/** What a node says stays as it is; what grpc-js says, which is for programmers and all that it keeps, is told in our words. */
function told(code: number, details: string, connector: Connector): Told {
  // Also where somebody listened before: what went wrong then is told by now.
  const [, refused] = /^No connection established\..*\bconnect (E[A-Z]+)\b/su.exec(details) ?? [];
  if (code === statusCodes.unavailable && refused !== undefined) return dialled(refused, connector);
  if (code === statusCodes.unavailable && !connector.wasSecured) {
    if (details.startsWith('Name resolution failed')) return dialled('ENOTFOUND', connector);
    const [, errno] = /\b(E[A-Z]{3,}(?:_[A-Z]+)?)\b/u.exec(details) ?? [];
    if (details.startsWith('No connection established')) return dialled(errno ?? 'ETIMEDOUT', connector);
  }
  if (code === statusCodes.deadlineExceeded && details.startsWith('Deadline exceeded'))
    return connector.wasSecured
      ? { words: `no answer${within(details)}` }
      : { words: `no connection${within(details)}: nothing there answers`, fault: 'silent' };
  for (const [pattern, words, fault] of texts)
    if (pattern.test(details)) return { words: details.replace(pattern, words), fault };
  return { words: details };
}

/** What was dialled is the proxy, where there is one. */
function dialled(errno: string, { port, proxy }: Connector): Told {
  const told = faultOf(errno, port);
  return proxy === undefined ? told : { words: `the proxy ${proxy}: ${told.words}`, fault: 'proxy' };
}

/** ` within 30 s`, of grpc-js's `Deadline exceeded after 30.001s,…` */
function within(details: string): string {
  const [, seconds] = /^Deadline exceeded after ([\d.]+)s/u.exec(details) ?? [];
  return seconds === undefined ? '' : ` within ${Number(Number(seconds).toPrecision(2))} s`;
}

/** Texts of grpc-js, each as a whole, and what they mean to who has called a node. */
const texts: readonly (readonly [pattern: RegExp, words: string, fault?: ConnectionFault])[] = [
  [
    /^(?:Connection dropped|Connection failed|Stream refused by server|Subchannel not ready)$/u,
    'the connection was lost',
    'lost',
  ],
  [/^(?:No connection established|Picked subchannel).*$/su, 'the connection was lost', 'lost'],
  [
    /^(?:(?:read|write) E[A-Z]+|Write error: |Write failed with error).*$/su,
    'the connection was lost',
    'lost',
  ],
  [/^Failed to start HTTP\/2 stream with error.*$/su, 'the connection was lost', 'lost'],
  [
    /^The server does not implement the method \/passed-on\/.*$/su,
    'the endpoint does not pass this call on, it is of an earlier release; make the node itself the endpoint, or upgrade this one first',
  ],
  [/^Received RST_STREAM with code (\d+).*$/su, 'its answer was broken off (HTTP/2 code $1)'],
  [/^Received HTTP status code (\d+)$/u, 'what listens there is no node: it answers with HTTP status $1'],
  [/^Received unexpected HTTP status.*$/su, 'what listens there is no node'],
  [/^Received message larger than max.*$/su, 'its answer is larger than this client takes'],
  [/^Received message that decompresses.*$/su, 'its answer is larger than this client takes'],
  [/^(?:Response message parsing error|Failed to decompress).*$/su, 'its answer can not be read'],
  [/^No (?:message|status information) received$/u, 'its answer is not complete'],
  [/^Call cancelled$/u, 'it gave the call up'],
  [/^Bandwidth exhausted or memory limit exceeded$/u, 'it has no room for the call'],
  [/^Channel closed before call started$/u, 'the client is closed'],
];
