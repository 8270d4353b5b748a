import { isKvstoreError, type KvstoreErrorCode } from '@nodecore/kvstore';
import { StateError, type StateErrorCode } from '@nodecore/state';

const byCode: Partial<Readonly<Record<KvstoreErrorCode, StateErrorCode>>> = {
  ERR_KVSTORE_COMPACTED: 'ERR_STATE_COMPACTED',
  ERR_KVSTORE_FUTURE_REVISION: 'ERR_STATE_FUTURE',
  ERR_KVSTORE_NO_SPACE: 'ERR_STATE_NO_SPACE',
  ERR_KVSTORE_DENIED: 'ERR_STATE_DENIED',
  ERR_KVSTORE_CORRUPT: 'ERR_STATE_CORRUPT',
  ERR_KVSTORE_UNREACHABLE: 'ERR_STATE_UNAVAILABLE',
  ERR_KVSTORE_TIMEOUT: 'ERR_STATE_UNAVAILABLE',
  ERR_KVSTORE_NO_LEADER: 'ERR_STATE_UNAVAILABLE',
  ERR_KVSTORE_BUSY: 'ERR_STATE_UNAVAILABLE',
};

/** What a read met with. Errors that are not of etcd stay as they are. */
export function readError(subject: string, error: unknown): unknown {
  if (!isKvstoreError(error)) return error;
  return new StateError(byCode[error.code] ?? 'ERR_STATE_FAILED', subject, error.message, { cause: error });
}

/** What a write met with: when the answer is lost, nobody knows whether it was done. */
export function writeError(subject: string, error: unknown): unknown {
  const lost = isKvstoreError(
    error,
    'ERR_KVSTORE_UNREACHABLE',
    'ERR_KVSTORE_TIMEOUT',
    'ERR_KVSTORE_NO_LEADER',
  );
  const code = lost
    ? 'ERR_STATE_UNKNOWN'
    : isKvstoreError(error, 'ERR_KVSTORE_INVALID') // our requests are valid: it is too much at once
      ? 'ERR_STATE_LIMIT'
      : undefined;
  if (code === undefined || !(error instanceof Error)) return readError(subject, error);
  return new StateError(code, subject, error.message, { cause: error });
}
