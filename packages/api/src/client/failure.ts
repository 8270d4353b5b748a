import type { ErrorInfo } from '../../gen/nodecore-v1.js';
import { ApiError } from '../errors.ts';
import { codeOfStatus, statusCodes } from '../status.ts';
import type { CallOptions, Channel } from './call.ts';

/** How a call ended that failed. */
export type Failure = {
  /** gRPC's. */
  readonly code: number;
  readonly details: string;
  /** What else the node said. */
  readonly info: ErrorInfo | undefined;
  readonly cause?: unknown;
};

/** The error of a call: what the node answered, or why there was no connection to it. */
export function apiError(
  { code, details, info, cause }: Failure,
  { connector, endpoint }: Pick<Channel, 'connector' | 'endpoint'>,
  { node }: Pick<CallOptions, 'node'>,
): ApiError {
  // The status says only UNAVAILABLE; what happened to the connection says more.
  if (code === statusCodes.unavailable && connector.failure !== undefined) return connector.failure;
  return new ApiError(codeOfStatus(code), `${node ?? endpoint}: ${details}`, {
    endpoint,
    node,
    reason: info?.code,
    problems: info?.problems,
    cause,
  });
}
