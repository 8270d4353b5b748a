import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import { ErrorInfo, type ErrorInfoInit } from '../gen/nodecore-v1.js';
import type { ApiErrorCode } from './errors.ts';

/** The trailer that carries an {@link ErrorInfo}. */
export const errorInfoKey = 'nodecore-error-bin';

const codes: Readonly<Record<number, ApiErrorCode>> = {
  [status.CANCELLED]: 'ERR_API_CANCELLED',
  [status.INVALID_ARGUMENT]: 'ERR_API_INVALID',
  [status.DEADLINE_EXCEEDED]: 'ERR_API_TIMEOUT',
  [status.NOT_FOUND]: 'ERR_API_NOT_FOUND',
  [status.ALREADY_EXISTS]: 'ERR_API_EXISTS',
  [status.PERMISSION_DENIED]: 'ERR_API_DENIED',
  [status.RESOURCE_EXHAUSTED]: 'ERR_API_EXHAUSTED',
  [status.FAILED_PRECONDITION]: 'ERR_API_CONFLICT',
  [status.ABORTED]: 'ERR_API_ABORTED',
  [status.OUT_OF_RANGE]: 'ERR_API_BOOKMARK',
  [status.UNIMPLEMENTED]: 'ERR_API_UNSUPPORTED',
  [status.UNAVAILABLE]: 'ERR_API_UNREACHABLE',
  [status.UNAUTHENTICATED]: 'ERR_API_UNAUTHENTICATED',
};

/** The code of a gRPC status; what a newer protocol may add is ERR_API_FAILED. */
export function codeOfStatus(code: number): ApiErrorCode {
  return codes[code] ?? 'ERR_API_FAILED';
}

/** What a handler answers to fail a call: status, message and, for programs, the code and problems behind it. */
export function failure(code: status, message: string, info?: ErrorInfoInit): Partial<StatusObject> {
  const metadata = new Metadata();
  if (info !== undefined) metadata.set(errorInfoKey, ErrorInfo.encode(info));
  return { code, details: message, metadata };
}

/** The code and problems behind a failed call; undefined when the node said none. */
export function errorInfoOf(metadata: Metadata): ErrorInfo | undefined {
  const [value] = metadata.get(errorInfoKey);
  return Buffer.isBuffer(value) ? ErrorInfo.decode(value) : undefined;
}
