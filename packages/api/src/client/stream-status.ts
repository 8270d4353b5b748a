import { constants, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { ErrorInfo } from '../../gen/nodecore-v1.js';
import { errorInfoKey, statusCodes } from '../status.ts';
import type { Failure } from './failure.ts';

/** What is known of an answer when its stream is closed. */
export type Ending = {
  readonly headers: (IncomingHttpHeaders & IncomingHttpStatusHeader) | undefined;
  /** Those of the headers where nothing else came. */
  readonly trailers: IncomingHttpHeaders | undefined;
  /** What the stream was closed with (RFC 9113, 7.). */
  readonly closedWith: number;
  /** The connection is gone. */
  readonly dropped: boolean;
};

/** The answer says how the call ended. */
export function hasStatus({ headers, trailers }: Pick<Ending, 'headers' | 'trailers'>): boolean {
  return trailers?.['grpc-status'] !== undefined || headers?.['grpc-status'] !== undefined;
}

/** Why a call failed; undefined when it did not. */
export function failureOf({ headers, trailers, closedWith, dropped }: Ending): Failure | undefined {
  const said = trailers?.['grpc-status'] === undefined ? headers : trailers;
  const answer = said?.['grpc-status'];
  if (said !== undefined && answer !== undefined) {
    const code = Number(answer);
    if (code === statusCodes.ok) return undefined;
    const details = unescaped(String(said['grpc-message'] ?? ''));
    return { code, details, info: infoOf(said) };
  }
  const httpStatus = headers?.[':status'];
  if (httpStatus !== undefined && httpStatus !== constants.HTTP_STATUS_OK)
    return failure(
      httpStatuses[httpStatus] ?? statusCodes.unknown,
      `Received HTTP status code ${httpStatus}`,
    );
  if (dropped) return failure(statusCodes.unavailable, 'Connection dropped');
  const known = closings[closedWith];
  if (known !== undefined) return failure(...known);
  return failure(statusCodes.internal, `Received RST_STREAM with code ${closedWith}`);
}

/** https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md */
const httpStatuses: Readonly<Record<number, number>> = {
  400: statusCodes.internal,
  401: statusCodes.unauthenticated,
  403: statusCodes.permissionDenied,
  404: statusCodes.unimplemented,
  429: statusCodes.unavailable,
  502: statusCodes.unavailable,
  503: statusCodes.unavailable,
  504: statusCodes.unavailable,
};

/** https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#http2-transport-mapping */
const closings: Readonly<Record<number, [code: number, details: string]>> = {
  [constants.NGHTTP2_NO_ERROR]: [statusCodes.internal, 'the answer has no status'],
  [constants.NGHTTP2_REFUSED_STREAM]: [statusCodes.unavailable, 'Stream refused by server'],
  [constants.NGHTTP2_CANCEL]: [statusCodes.cancelled, 'Call cancelled'],
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: [
    statusCodes.resourceExhausted,
    'Bandwidth exhausted or memory limit exceeded',
  ],
  [constants.NGHTTP2_INADEQUATE_SECURITY]: [statusCodes.permissionDenied, 'Protocol not secure enough'],
};

/** Without anything that the node said. */
export function failure(code: number, details: string): Failure {
  return { code, details, info: undefined };
}

/** A key that ends with `-bin` has bytes, in base64 with or without padding. */
function infoOf(said: IncomingHttpHeaders): ErrorInfo | undefined {
  const value = said[errorInfoKey];
  return typeof value === 'string' ? ErrorInfo.decode(Buffer.from(value, 'base64')) : undefined;
}

/** gRPC escapes its messages like URLs. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
