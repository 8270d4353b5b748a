import type { Metadata, status, StatusObject } from '@grpc/grpc-js';
import { type ErrorKind, kindPolicies } from '@nodecore/sys/pure';
import { ErrorInfo, type ErrorInfoInit } from '../gen/nodecore-v1.js';
import type { ApiErrorCode } from './errors.ts';
import { grpc } from './grpc.ts';

/** The trailer that carries an {@link ErrorInfo}. */
export const errorInfoKey = 'nodecore-error-bin';

/** https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
export const statusCodes = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The gRPC status of a kind of error, for every server. */
export function statusOfKind(kind: ErrorKind): status {
  return grpc().status[kindPolicies[kind].status];
}

const codes: Readonly<Record<number, ApiErrorCode>> = {
  [statusCodes.cancelled]: 'ERR_API_CANCELLED',
  [statusCodes.invalidArgument]: 'ERR_API_INVALID',
  [statusCodes.deadlineExceeded]: 'ERR_API_TIMEOUT',
  [statusCodes.notFound]: 'ERR_API_NOT_FOUND',
  [statusCodes.alreadyExists]: 'ERR_API_EXISTS',
  [statusCodes.permissionDenied]: 'ERR_API_DENIED',
  [statusCodes.resourceExhausted]: 'ERR_API_EXHAUSTED',
  [statusCodes.failedPrecondition]: 'ERR_API_CONFLICT',
  [statusCodes.aborted]: 'ERR_API_ABORTED',
  [statusCodes.outOfRange]: 'ERR_API_BOOKMARK',
  [statusCodes.unimplemented]: 'ERR_API_UNSUPPORTED',
  [statusCodes.unavailable]: 'ERR_API_UNREACHABLE',
  [statusCodes.unauthenticated]: 'ERR_API_UNAUTHENTICATED',
};

/** The code of a gRPC status; what a newer protocol may add is ERR_API_FAILED. */
export function codeOfStatus(code: number): ApiErrorCode {
  return codes[code] ?? 'ERR_API_FAILED';
}

/** What a handler answers to fail a call: status, message and, for programs, the code and problems behind it. */
export function failure(code: status, message: string, info?: ErrorInfoInit): Partial<StatusObject> {
  const metadata = new (grpc().Metadata)();
  if (info !== undefined) metadata.set(errorInfoKey, ErrorInfo.encode(info));
  return { code, details: message, metadata };
}

/** The code and problems behind a failed call; undefined when the node said none. */
export function errorInfoOf(metadata: Metadata): ErrorInfo | undefined {
  const [value] = metadata.get(errorInfoKey);
  return Buffer.isBuffer(value) ? ErrorInfo.decode(value) : undefined;
}
