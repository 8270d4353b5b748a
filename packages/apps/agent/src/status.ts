import { type Metadata, status } from '@grpc/grpc-js';
import { failure } from '@nodecore/api';
import type { BpfErrorCode } from '@nodecore/bpf';
import type { CaptureErrorCode } from '@nodecore/capture';
import type { CgroupErrorCode } from '@nodecore/cgroup';
import { ConfigError, type Problem } from '@nodecore/config';
import type { KvstoreErrorCode } from '@nodecore/kvstore';
import type { LuksErrorCode } from '@nodecore/luks';
import { codeOf } from '@nodecore/sys';
import type { VolumeErrorCode } from '@nodecore/volumes';

import type { CapturesErrorCode } from './captures/errors.ts';
import type { CgroupsErrorCode } from './cgroups/errors.ts';
import { ApplyError, type ApplyErrorCode } from './configuration/errors.ts';
import type { MemberErrorCode } from './kvstore/errors.ts';
import type { StateErrorCode } from './persistence/errors.ts';
import type { ProofErrorCode } from './proofs/errors.ts';
import type { ResetErrorCode } from './resets/errors.ts';
import type { ResourceErrorCode } from './resources/errors.ts';
import type { ServerErrorCode } from './server/errors.ts';
import type { WipeErrorCode } from './wipes/errors.ts';

/** Of the packages below; others of theirs can't come of a call, or are defects. */
type VolumeCode = Extract<
  VolumeErrorCode,
  | 'ERR_VOLUME_KEPT'
  | 'ERR_VOLUME_NOT_FOUND'
  | 'ERR_VOLUME_NOT_ENCRYPTED'
  | 'ERR_VOLUME_NOT_READY'
  | 'ERR_VOLUME_NO_KEYSLOT'
  | 'ERR_VOLUME_REQUESTED'
>;
type LuksCode = Exclude<LuksErrorCode, 'ERR_LUKS_FAILED' | 'ERR_LUKS_RECOVERY_KEY'>;

/** Damaged files of captures are for those who read them. */
type CaptureCode = Exclude<CaptureErrorCode, 'ERR_CAPTURE_FORMAT' | 'ERR_CAPTURE_FAILED'>;

type CgroupCode = Exclude<CgroupErrorCode, 'ERR_CGROUP_FAILED'>;

type OurCode =
  | ApplyErrorCode
  | BpfErrorCode
  | CaptureCode
  | CapturesErrorCode
  | CgroupCode
  | CgroupsErrorCode
  | KvstoreErrorCode
  | MemberErrorCode
  | ProofErrorCode
  | ResetErrorCode
  | ResourceErrorCode
  | ServerErrorCode
  | StateErrorCode
  | VolumeCode
  | WipeErrorCode
  | LuksCode
  | 'ERR_KEYS_NONE'
  | 'ERR_KEYS_NO_OPENER'
  | 'ERR_CONFIG_INVALID';

export type Answer = { readonly code: status; readonly details: string; readonly metadata?: Metadata };

/** Our codes as gRPC statuses: the only such table. */
const statuses: Readonly<Record<OurCode, status>> = {
  ERR_CONFIG_INVALID: status.INVALID_ARGUMENT,
  ERR_APPLY_IN_PROGRESS: status.ABORTED,
  ERR_APPLY_CONFLICT: status.FAILED_PRECONDITION,
  ERR_APPLY_MODE: status.FAILED_PRECONDITION,
  ERR_APPLY_CONFIGURED: status.PERMISSION_DENIED,
  ERR_APPLY_REFUSED: status.INVALID_ARGUMENT,
  ERR_RESOURCE_NOT_FOUND: status.NOT_FOUND,
  ERR_RESOURCE_EXISTS: status.ALREADY_EXISTS,
  ERR_RESOURCE_OWNER: status.PERMISSION_DENIED,
  ERR_RESOURCE_VERSION: status.FAILED_PRECONDITION,
  ERR_RESOURCE_PHASE: status.FAILED_PRECONDITION,
  ERR_RESOURCE_FINALIZERS: status.FAILED_PRECONDITION,
  ERR_RESOURCE_TYPE: status.NOT_FOUND,
  ERR_RESOURCE_DENIED: status.PERMISSION_DENIED,
  ERR_RESOURCE_BOOKMARK: status.OUT_OF_RANGE,
  ERR_SERVER_UNAUTHENTICATED: status.UNAUTHENTICATED,
  ERR_SERVER_DENIED: status.PERMISSION_DENIED,
  ERR_SERVER_CONFIGURED: status.UNAVAILABLE,
  ERR_SERVER_BUSY: status.RESOURCE_EXHAUSTED,
  ERR_SERVER_TIMEOUT: status.DEADLINE_EXCEEDED,
  ERR_SERVER_EXPIRED: status.UNAVAILABLE,
  ERR_SERVER_STOPPING: status.UNAVAILABLE,
  ERR_SERVER_REQUEST: status.INVALID_ARGUMENT,
  ERR_STATE_NO_SYSTEM_DISK: status.FAILED_PRECONDITION,
  ERR_STATE_AMBIGUOUS: status.FAILED_PRECONDITION,
  ERR_STATE_DAMAGED: status.DATA_LOSS,
  ERR_STATE_NOT_READY: status.FAILED_PRECONDITION,
  ERR_STATE_TIMEOUT: status.DEADLINE_EXCEEDED,
  ERR_STATE_TOO_LARGE: status.RESOURCE_EXHAUSTED,
  ERR_VOLUME_KEPT: status.FAILED_PRECONDITION,
  ERR_VOLUME_NOT_FOUND: status.NOT_FOUND,
  ERR_VOLUME_NOT_ENCRYPTED: status.FAILED_PRECONDITION,
  ERR_VOLUME_NOT_READY: status.FAILED_PRECONDITION,
  ERR_VOLUME_NO_KEYSLOT: status.RESOURCE_EXHAUSTED,
  ERR_VOLUME_REQUESTED: status.FAILED_PRECONDITION,
  ERR_PROOF_NOT_FOUND: status.NOT_FOUND,
  ERR_PROOF_REQUEST: status.INVALID_ARGUMENT,
  ERR_PROOF_BUSY: status.UNAVAILABLE,
  ERR_RESET_HOST: status.FAILED_PRECONDITION,
  ERR_RESET_REQUEST: status.INVALID_ARGUMENT,
  ERR_RESET_NOT_FOUND: status.NOT_FOUND,
  ERR_RESET_REFUSED: status.FAILED_PRECONDITION,
  ERR_RESET_AWAITED: status.UNAVAILABLE,
  ERR_RESET_BUSY: status.ABORTED,
  ERR_WIPE_NOT_FOUND: status.NOT_FOUND,
  ERR_WIPE_REQUEST: status.INVALID_ARGUMENT,
  ERR_WIPE_REFUSED: status.FAILED_PRECONDITION,
  ERR_WIPE_BUSY: status.ABORTED,
  ERR_KEYS_NONE: status.FAILED_PRECONDITION,
  ERR_KEYS_NO_OPENER: status.FAILED_PRECONDITION,
  ERR_LUKS_KEY_REJECTED: status.FAILED_PRECONDITION,
  ERR_LUKS_NOT_LUKS: status.FAILED_PRECONDITION,
  ERR_LUKS_VERSION: status.FAILED_PRECONDITION,
  ERR_LUKS_DAMAGED: status.DATA_LOSS,
  ERR_LUKS_EXISTS: status.ALREADY_EXISTS,
  ERR_LUKS_BUSY: status.ABORTED,
  ERR_LUKS_HELD: status.UNAVAILABLE,
  ERR_LUKS_NOT_FOUND: status.FAILED_PRECONDITION,
  ERR_LUKS_UNSUPPORTED: status.FAILED_PRECONDITION,
  ERR_LUKS_LAST_KEYSLOT: status.FAILED_PRECONDITION,
  ERR_LUKS_FULL: status.RESOURCE_EXHAUSTED,
  ERR_LUKS_MISMATCH: status.FAILED_PRECONDITION,
  ERR_LUKS_BACKUP: status.INVALID_ARGUMENT,
  ERR_LUKS_MEMORY: status.RESOURCE_EXHAUSTED,
  ERR_KVSTORE_ENDPOINT: status.INTERNAL, // nobody names one in a call
  ERR_KVSTORE_UNREACHABLE: status.UNAVAILABLE,
  ERR_KVSTORE_CERTIFICATE: status.FAILED_PRECONDITION, // between the node and its member
  ERR_KVSTORE_PROTOCOL: status.FAILED_PRECONDITION,
  ERR_KVSTORE_TIMEOUT: status.DEADLINE_EXCEEDED,
  ERR_KVSTORE_NO_LEADER: status.UNAVAILABLE,
  ERR_KVSTORE_NOT_LEADER: status.FAILED_PRECONDITION,
  ERR_KVSTORE_QUORUM: status.FAILED_PRECONDITION,
  ERR_KVSTORE_NO_SPACE: status.RESOURCE_EXHAUSTED,
  ERR_KVSTORE_CORRUPT: status.DATA_LOSS,
  ERR_KVSTORE_BUSY: status.RESOURCE_EXHAUSTED,
  ERR_KVSTORE_DENIED: status.FAILED_PRECONDITION, // to the node, not to the caller
  ERR_KVSTORE_NOT_FOUND: status.NOT_FOUND,
  ERR_KVSTORE_EXISTS: status.ALREADY_EXISTS,
  ERR_KVSTORE_COMPACTED: status.OUT_OF_RANGE,
  ERR_KVSTORE_FUTURE_REVISION: status.OUT_OF_RANGE,
  ERR_KVSTORE_LEARNER: status.FAILED_PRECONDITION,
  ERR_KVSTORE_DOWNGRADE: status.FAILED_PRECONDITION,
  ERR_KVSTORE_INVALID: status.INVALID_ARGUMENT,
  ERR_KVSTORE_UNSUPPORTED: status.FAILED_PRECONDITION,
  ERR_KVSTORE_REFUSED: status.FAILED_PRECONDITION,
  ERR_KVSTORE_LOCKED: status.ABORTED,
  ERR_KVSTORE_FILE_EXISTS: status.ALREADY_EXISTS,
  ERR_KVSTORE_DISK_FULL: status.RESOURCE_EXHAUSTED,
  ERR_KVSTORE_FILE: status.INTERNAL,
  ERR_KVSTORE_SNAPSHOT_FOREIGN: status.INVALID_ARGUMENT,
  ERR_KVSTORE_SNAPSHOT_TRUNCATED: status.DATA_LOSS,
  ERR_KVSTORE_SNAPSHOT_DIGEST: status.DATA_LOSS,
  ERR_KVSTORE_SNAPSHOT_DAMAGED: status.DATA_LOSS,
  ERR_KVSTORE_FAILED: status.INTERNAL,
  ERR_MEMBER_NOT_CONFIGURED: status.FAILED_PRECONDITION,
  ERR_MEMBER_NOT_RUNNING: status.FAILED_PRECONDITION,
  ERR_MEMBER_NOT_HEALTHY: status.DEADLINE_EXCEEDED,
  ERR_MEMBER_HAS_DATA: status.ALREADY_EXISTS,
  ERR_MEMBER_NO_SNAPSHOT: status.FAILED_PRECONDITION,
  ERR_MEMBER_UPLOAD: status.INVALID_ARGUMENT,
  ERR_MEMBER_SPACE: status.RESOURCE_EXHAUSTED,
  ERR_MEMBER_BUSY: status.ABORTED,
  ERR_MEMBER_ADDRESS: status.FAILED_PRECONDITION,
  ERR_MEMBER_JOIN: status.FAILED_PRECONDITION,
  ERR_MEMBER_PROGRAM: status.FAILED_PRECONDITION,
  ERR_BPF_FILTER: status.INVALID_ARGUMENT,
  ERR_BPF_SYNTAX: status.INVALID_ARGUMENT,
  ERR_BPF_INVALID: status.INVALID_ARGUMENT,
  ERR_BPF_LINK_TYPE: status.INVALID_ARGUMENT,
  ERR_BPF_INTERFACE: status.FAILED_PRECONDITION,
  ERR_BPF_DENIED: status.FAILED_PRECONDITION, // to the agent, not to the caller
  ERR_BPF_COMPLEX: status.INVALID_ARGUMENT,
  ERR_CAPTURE_INTERFACE: status.NOT_FOUND,
  ERR_CAPTURE_INTERFACE_DOWN: status.FAILED_PRECONDITION,
  ERR_CAPTURE_DENIED: status.FAILED_PRECONDITION, // as above
  ERR_CAPTURE_FILTER: status.INVALID_ARGUMENT,
  ERR_CAPTURE_EXISTS: status.ALREADY_EXISTS,
  ERR_CAPTURE_DISK: status.RESOURCE_EXHAUSTED,
  ERR_CAPTURE_OPTION: status.INVALID_ARGUMENT,
  ERR_CAPTURES_BUSY: status.RESOURCE_EXHAUSTED,
  ERR_CAPTURES_FILE: status.NOT_FOUND,
  ERR_CAPTURES_REQUEST: status.INVALID_ARGUMENT,
  ERR_CAPTURES_SPACE: status.RESOURCE_EXHAUSTED,
  ERR_CAPTURES_UNKNOWN: status.NOT_FOUND,
  ERR_CGROUP_VERSION: status.FAILED_PRECONDITION,
  ERR_CGROUP_NOT_FOUND: status.NOT_FOUND,
  ERR_CGROUP_DENIED: status.FAILED_PRECONDITION, // to the agent, not to the caller
  ERR_CGROUP_PRESSURE_OFF: status.FAILED_PRECONDITION,
  ERR_CGROUP_OPTION: status.INVALID_ARGUMENT,
  ERR_CGROUP_UNVERIFIED: status.INTERNAL,
  ERR_CGROUPS_BUSY: status.RESOURCE_EXHAUSTED,
  ERR_CGROUPS_REQUEST: status.INVALID_ARGUMENT,
};

/**
 * What a failed call answers. An error with a code is meant for people and keeps its message; one without is a defect
 * of ours, whose message may hold anything: the caller gets only its existence, the log has the rest.
 */
export function statusOf(error: unknown): Answer {
  const reason = codeOf(error);
  if (reason === undefined || !(error instanceof Error)) {
    return { code: status.INTERNAL, details: 'internal error' };
  }
  const code = isOurs(reason) ? statuses[reason] : status.INTERNAL;
  const problems = problemsOf(error).map(toWire);
  return { ...failure(code, error.message, { code: reason, problems }), code, details: error.message };
}

function isOurs(code: string): code is OurCode {
  return Object.hasOwn(statuses, code);
}

function problemsOf(error: Error): readonly Problem[] {
  return error instanceof ConfigError || error instanceof ApplyError ? error.problems : [];
}

function toWire({ code, message, document, path, line, column }: Problem): Omit<Problem, 'file'> {
  return { code, message, document, path, line, column };
}
