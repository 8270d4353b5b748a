import { ErrorInfo } from '../../gen/nodecore-v1.js';
import { errorInfoKey, statusCodes } from '../status.ts';
import type { Failure } from './failure.ts';

type Fields = ReadonlyMap<string, string>;

/** What is known of an answer when nothing more comes. */
export type Ending = {
  readonly headers: Fields;
  readonly trailers: Fields;
  /** What the stream was closed with (RFC 9113, 7.). */
  readonly closedWith: number;
  /** The answer has ended; if not, the connection has. */
  readonly isOver: boolean;
};

/** Why a call failed; undefined when it did not. */
export function failureOf({ headers, trailers, closedWith, isOver }: Ending): Failure | undefined {
  const said = trailers.has('grpc-status') ? trailers : headers; // of the headers where nothing else came
  const answer = said.get('grpc-status');
  if (answer !== undefined) {
    const code = Number(answer);
    if (code === statusCodes.ok) return undefined;
    return { code, details: unescaped(said.get('grpc-message') ?? ''), info: infoOf(said) };
  }
  const httpStatus = headers.get(':status') ?? '200';
  if (httpStatus !== '200')
    return failure(
      httpStatuses[httpStatus] ?? statusCodes.unknown,
      `Received HTTP status code ${httpStatus}`,
    );
  if (!isOver) return failure(statusCodes.unavailable, 'Connection dropped');
  const known = closings[closedWith];
  if (known !== undefined) return failure(...known);
  return failure(statusCodes.internal, `Received RST_STREAM with code ${closedWith}`);
}

/** https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md */
const httpStatuses: Readonly<Record<string, number>> = {
  400: statusCodes.internal,
  401: statusCodes.unauthenticated,
  403: statusCodes.permissionDenied,
  404: statusCodes.unimplemented,
  429: statusCodes.unavailable,
  502: statusCodes.unavailable,
  503: statusCodes.unavailable,
  504: statusCodes.unavailable,
};

/** Error codes of HTTP/2 (RFC 9113, 7.); those of node:http2 would load it. */
const closedBy = {
  nothing: 0,
  refusal: 7,
  cancellation: 8,
  excess: 0xb,
  insecurity: 0xc,
} as const;

/** https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#http2-transport-mapping */
const closings: Readonly<Record<number, [code: number, details: string]>> = {
  [closedBy.nothing]: [statusCodes.internal, 'the answer has no status'],
  [closedBy.refusal]: [statusCodes.unavailable, 'Stream refused by server'],
  [closedBy.cancellation]: [statusCodes.cancelled, 'Call cancelled'],
  [closedBy.excess]: [statusCodes.resourceExhausted, 'Bandwidth exhausted or memory limit exceeded'],
  [closedBy.insecurity]: [statusCodes.permissionDenied, 'Protocol not secure enough'],
};

/** Without anything that the node said. */
export function failure(code: number, details: string): Failure {
  return { code, details, info: undefined };
}

/** A key that ends with `-bin` has bytes, in base64 with or without padding. */
function infoOf(said: Fields): ErrorInfo | undefined {
  const value = said.get(errorInfoKey);
  return value === undefined ? undefined : ErrorInfo.decode(Buffer.from(value, 'base64'));
}

/** gRPC escapes its messages like URLs. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
