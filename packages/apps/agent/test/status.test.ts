import { status } from '@grpc/grpc-js';
import { BlockError } from '@nodecore/block';
import { BpfError } from '@nodecore/bpf';
import { CaptureError } from '@nodecore/capture';
import { CgroupError } from '@nodecore/cgroup';
import { ConfigError } from '@nodecore/config';
import { KeysError } from '@nodecore/keys';
import { KmsError } from '@nodecore/kms';
import { KvstoreError } from '@nodecore/kvstore';
import { LuksError } from '@nodecore/luks';
import { MetaError } from '@nodecore/meta';
import { ResourceError } from '@nodecore/state';
import type { CodedError } from '@nodecore/sys';
import { TpmError } from '@nodecore/tpm';
import { TrimError } from '@nodecore/trim';
import { VolumeError } from '@nodecore/volumes';
import test from 'ava';

import { CapturesError } from '../src/captures/errors.ts';
import { CgroupsError } from '../src/cgroups/errors.ts';
import { ApplyError } from '../src/configuration/errors.ts';
import { MemberError } from '../src/kvstore/errors.ts';
import { LifecycleError } from '../src/lifecycle/errors.ts';
import { PersistenceError } from '../src/persistence/errors.ts';
import { ProofError } from '../src/proofs/errors.ts';
import { ResetError } from '../src/resets/errors.ts';
import { ServerError } from '../src/server/errors.ts';
import { statusOf } from '../src/server/status.ts';
import { UpgradeError } from '../src/upgrades/errors.ts';
import { WipeError } from '../src/wipes/errors.ts';

/** Code to status, without `ERR_`: clients rely on it. */
const statuses: Readonly<Record<string, string>> = {
  ABORTED: 'APPLY_IN_PROGRESS RESET_BUSY WIPE_BUSY LUKS_BUSY KVSTORE_LOCKED MEMBER_BUSY',
  ALREADY_EXISTS:
    'RESOURCE_EXISTS LUKS_EXISTS KVSTORE_EXISTS KVSTORE_FILE_EXISTS MEMBER_HAS_DATA CAPTURE_EXISTS',
  DATA_LOSS:
    'STATE_DAMAGED META_DAMAGED UPGRADE_IMAGE LUKS_DAMAGED KVSTORE_CORRUPT KVSTORE_SNAPSHOT_TRUNCATED KVSTORE_SNAPSHOT_DIGEST ' +
    'KVSTORE_SNAPSHOT_DAMAGED',
  DEADLINE_EXCEEDED: 'SERVER_TIMEOUT STATE_TIMEOUT KVSTORE_TIMEOUT MEMBER_NOT_HEALTHY',
  FAILED_PRECONDITION:
    'APPLY_CONFLICT APPLY_MODE RESOURCE_VERSION RESOURCE_PHASE RESOURCE_FINALIZERS STATE_NO_SYSTEM_DISK ' +
    'STATE_AMBIGUOUS STATE_NOT_READY VOLUME_KEPT VOLUME_NOT_ENCRYPTED VOLUME_NOT_READY VOLUME_REQUESTED ' +
    'LIFECYCLE_NO_INIT LIFECYCLE_LOCKED UPGRADE_NOT_INSTALLED UPGRADE_SIGNATURE UPGRADE_VERSION UPGRADE_NO_OTHER ' +
    'RESET_HOST RESET_REFUSED WIPE_REFUSED KEYS_NONE KEYS_NO_OPENER LUKS_KEY_REJECTED LUKS_NOT_LUKS ' +
    'LUKS_VERSION LUKS_NOT_FOUND LUKS_UNSUPPORTED LUKS_LAST_KEYSLOT LUKS_MISMATCH KVSTORE_CERTIFICATE ' +
    'KVSTORE_PROTOCOL KVSTORE_NOT_LEADER KVSTORE_QUORUM KVSTORE_DENIED KVSTORE_LEARNER KVSTORE_DOWNGRADE ' +
    'KVSTORE_UNSUPPORTED KVSTORE_REFUSED MEMBER_NOT_CONFIGURED MEMBER_NOT_RUNNING MEMBER_NO_SNAPSHOT ' +
    'MEMBER_ADDRESS MEMBER_JOIN MEMBER_PROGRAM BPF_INTERFACE BPF_DENIED CAPTURE_INTERFACE_DOWN ' +
    'CAPTURE_DENIED CGROUP_VERSION CGROUP_DENIED CGROUP_PRESSURE_OFF',
  INTERNAL: 'KVSTORE_ENDPOINT KVSTORE_FILE KVSTORE_FAILED CGROUP_UNVERIFIED',
  INVALID_ARGUMENT:
    'LIFECYCLE_REQUEST UPGRADE_REQUEST CONFIG_INVALID APPLY_REFUSED SERVER_REQUEST PROOF_REQUEST RESET_REQUEST WIPE_REQUEST LUKS_BACKUP ' +
    'KVSTORE_INVALID KVSTORE_SNAPSHOT_FOREIGN MEMBER_UPLOAD BPF_FILTER BPF_SYNTAX BPF_INVALID ' +
    'BPF_LINK_TYPE BPF_COMPLEX CAPTURE_FILTER CAPTURE_OPTION CAPTURES_REQUEST CGROUP_OPTION ' +
    'CGROUPS_REQUEST',
  NOT_FOUND:
    'RESOURCE_NOT_FOUND RESOURCE_TYPE VOLUME_NOT_FOUND PROOF_NOT_FOUND RESET_NOT_FOUND WIPE_NOT_FOUND ' +
    'KVSTORE_NOT_FOUND CAPTURE_INTERFACE CAPTURES_FILE CAPTURES_UNKNOWN CGROUP_NOT_FOUND',
  OUT_OF_RANGE: 'RESOURCE_BOOKMARK KVSTORE_COMPACTED KVSTORE_FUTURE_REVISION',
  PERMISSION_DENIED: 'APPLY_CONFIGURED RESOURCE_OWNER RESOURCE_DENIED SERVER_DENIED',
  RESOURCE_EXHAUSTED:
    'SERVER_BUSY META_TOO_LARGE VOLUME_NO_KEYSLOT LUKS_FULL LUKS_MEMORY KVSTORE_NO_SPACE KVSTORE_BUSY ' +
    'KVSTORE_DISK_FULL MEMBER_SPACE CAPTURE_DISK CAPTURES_BUSY CAPTURES_SPACE CGROUPS_BUSY',
  UNAUTHENTICATED: 'SERVER_UNAUTHENTICATED',
  UNAVAILABLE:
    'SERVER_CONFIGURED SERVER_EXPIRED SERVER_STOPPING PROOF_BUSY RESET_AWAITED LUKS_HELD ' +
    'KVSTORE_UNREACHABLE KVSTORE_NO_LEADER',
};

/** Of the packages below the agent: what happens to a device or a key is in resources, not in the status of a call. */
const internal =
  'VOLUME_AMBIGUOUS VOLUME_DAMAGED VOLUME_NO_SPACE VOLUME_NO_ANSWER KEYS_TIMEOUT KEYS_REJECTED LUKS_FAILED LUKS_RECOVERY_KEY ' +
  'CAPTURE_FORMAT CAPTURE_FAILED CGROUP_FAILED CONFIG_SIZE BLOCK_BUSY BLOCK_NOT_FOUND KMS_REFUSED KMS_BUSY TPM_LOCKOUT TRIM_DENIED';

const classes: Readonly<Record<string, { readonly prototype: CodedError<string> }>> = {
  APPLY: ApplyError,
  BLOCK: BlockError,
  BPF: BpfError,
  CAPTURE: CaptureError,
  CAPTURES: CapturesError,
  CGROUP: CgroupError,
  CGROUPS: CgroupsError,
  CONFIG: ConfigError,
  KEYS: KeysError,
  KMS: KmsError,
  KVSTORE: KvstoreError,
  LIFECYCLE: LifecycleError,
  LUKS: LuksError,
  MEMBER: MemberError,
  META: MetaError,
  PROOF: ProofError,
  RESET: ResetError,
  RESOURCE: ResourceError,
  SERVER: ServerError,
  STATE: PersistenceError,
  TPM: TpmError,
  TRIM: TrimError,
  UPGRADE: UpgradeError,
  VOLUME: VolumeError,
  WIPE: WipeError,
};

/** An error of the class that has this code, without its fields. */
function errorOf(name: string): unknown {
  const type = classes[name.slice(0, name.indexOf('_'))];
  return Object.create(type?.prototype ?? Error.prototype, {
    code: { value: `ERR_${name}` },
    problems: { value: [] },
  });
}

test('every code answers a call with the status that it always had', (t) => {
  const all = Object.entries({ ...statuses, INTERNAL: `${statuses['INTERNAL']} ${internal}` });
  for (const [name, codes] of all) {
    for (const code of codes.split(' ')) t.is(status[statusOf(errorOf(code)).code], name, code);
  }
});

test('a system error and an error without a code are internal', (t) => {
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  t.is(statusOf(missing).code, status.INTERNAL);
  t.deepEqual(statusOf(new Error('with a secret')), { code: status.INTERNAL, details: 'internal error' });
});
