import { type Metadata, status } from '@grpc/grpc-js';
import { failure, statusOfKind } from '@nodecore/api';
import { ConfigError, type Problem } from '@nodecore/config';
import { codeOf, type ErrorKind, kindOf } from '@nodecore/sys';

import { ApplyError } from '../configuration/errors.ts';

export type Answer = { readonly code: status; readonly details: string; readonly metadata?: Metadata };

/** Codes whose kind is about the node and what is below it, while the status speaks to the caller. */
const exceptions: ReadonlyMap<string, status> = new Map([
  ['ERR_SERVER_UNAUTHENTICATED', status.UNAUTHENTICATED], // gRPC tells an unknown caller from one that may not
  // Denied to the agent, not to the caller.
  ['ERR_BPF_DENIED', status.FAILED_PRECONDITION],
  ['ERR_CAPTURE_DENIED', status.FAILED_PRECONDITION],
  ['ERR_CGROUP_DENIED', status.FAILED_PRECONDITION],
  ['ERR_KVSTORE_DENIED', status.FAILED_PRECONDITION],
  // The caller named a volume, which exists; its device or keyslot does not.
  ['ERR_LUKS_NOT_FOUND', status.FAILED_PRECONDITION],
  // No call names these: when one arrives, the defect is in the agent.
  ['ERR_KVSTORE_ENDPOINT', status.INTERNAL],
  ['ERR_LUKS_RECOVERY_KEY', status.INTERNAL],
  ['ERR_CONFIG_SIZE', status.INTERNAL],
  ['ERR_CAPTURE_FORMAT', status.INTERNAL],
]);

/** Volumes and keys have their say in resources; of their errors these alone answer a call. */
const answering: ReadonlySet<string> = new Set([
  'ERR_KEYS_NONE',
  'ERR_KEYS_NO_OPENER',
  'ERR_VOLUME_KEPT',
  'ERR_VOLUME_NOT_ENCRYPTED',
  'ERR_VOLUME_NOT_FOUND',
  'ERR_VOLUME_NOT_READY',
  'ERR_VOLUME_NO_KEYSLOT',
  'ERR_VOLUME_REQUESTED',
]);

/** Errors of devices, libraries and other programs: the caller named none of them, so their kinds say nothing to it. */
const inner = /^ERR_(?:API|BLOCK|KEYS|KMS|LIBRARY|OSCONFIG|PKI|SYSTEM|TEXT|TPM|TRIM|VOLUME)_/u;

/**
 * What a failed call answers. An error with a code is meant for people and keeps its message; one without is a defect
 * of ours, whose message may hold anything: the caller gets only its existence, the log has the rest.
 */
export function statusOf(error: unknown): Answer {
  const reason = codeOf(error);
  if (reason === undefined || !(error instanceof Error)) {
    return { code: status.INTERNAL, details: 'internal error' };
  }
  const code = statusOfCode(reason, kindOf(error));
  const problems = problemsOf(error).map(toWire);
  return { ...failure(code, error.message, { code: reason, problems }), code, details: error.message };
}

function statusOfCode(code: string, kind: ErrorKind | undefined): status {
  if (kind === undefined || (inner.test(code) && !answering.has(code))) return status.INTERNAL;
  return exceptions.get(code) ?? statusOfKind(kind);
}

function problemsOf(error: Error): readonly Problem[] {
  return error instanceof ConfigError || error instanceof ApplyError ? error.problems : [];
}

function toWire({ code, message, document, path, line, column }: Problem): Omit<Problem, 'file'> {
  return { code, message, document, path, line, column };
}
