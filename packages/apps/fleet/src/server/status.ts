import { type Metadata, status } from '@grpc/grpc-js';
import { failure, statusOfKind } from '@nodecore/api';
import { codeOf, kindOf } from '@nodecore/sys';

/** How a call ends that failed. */
export type Answer = { readonly code: status; readonly details: string; readonly metadata?: Metadata };

/**
 * What a failed call answers. An error with a code is meant for people and keeps its message; one without is a defect of ours,
 * whose message may hold anything: the caller gets only its existence.
 */
export function statusOf(error: unknown): Answer {
  const reason = codeOf(error);
  const kind = kindOf(error);
  if (reason === undefined || kind === undefined || !(error instanceof Error))
    return { code: status.INTERNAL, details: 'internal error' };
  const code = reason === 'ERR_FLEET_UNAUTHENTICATED' ? status.UNAUTHENTICATED : statusOfKind(kind);
  return { ...failure(code, error.message, { code: reason }), code, details: error.message };
}
