import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';
import type { Problem } from '../gen/nodecore-v1.js';
import type { ConnectionFault } from './client/connection-fault.ts';

export type ApiErrorCode =
  | 'ERR_API_CANCELLED' // the node gave the call up
  | 'ERR_API_INVALID' // the request makes no sense; see `problems`
  | 'ERR_API_TIMEOUT' // no answer before the deadline
  | 'ERR_API_NOT_FOUND' // no such resource or type
  | 'ERR_API_EXISTS'
  | 'ERR_API_DENIED' // the certificate's roles do not allow it
  | 'ERR_API_UNAUTHENTICATED' // the node does not accept the client certificate, or there was none
  | 'ERR_API_EXHAUSTED' // a limit of the node
  | 'ERR_API_CONFLICT' // the node is not in the state the request expects; nothing changed
  | 'ERR_API_ABORTED' // another such call is in progress
  | 'ERR_API_BOOKMARK' // the node no longer has the events after the bookmark
  | 'ERR_API_UNSUPPORTED' // this node does not know the call, or does not serve it now
  | 'ERR_API_UNREACHABLE' // no connection
  | 'ERR_API_UNTRUSTED' // the node's certificate is not signed by the expected authority or names another host
  | 'ERR_API_FINGERPRINT' // the node's certificate has none of the expected fingerprints
  | 'ERR_API_CREDENTIALS' // the authority, certificate or key given to the client cannot be used
  | 'ERR_API_PROTOCOL' // what answers there does not speak the protocol
  | 'ERR_API_FAILED'; // anything else

const kinds: ErrorKinds<ApiErrorCode> = {
  ERR_API_CANCELLED: 'aborted',
  ERR_API_INVALID: 'invalid',
  ERR_API_TIMEOUT: 'timeout',
  ERR_API_NOT_FOUND: 'not-found',
  ERR_API_EXISTS: 'exists',
  ERR_API_DENIED: 'denied',
  ERR_API_UNAUTHENTICATED: 'denied',
  ERR_API_EXHAUSTED: 'exhausted',
  ERR_API_CONFLICT: 'refused',
  ERR_API_ABORTED: 'busy',
  ERR_API_BOOKMARK: 'out-of-range',
  ERR_API_UNSUPPORTED: 'unsupported',
  ERR_API_UNREACHABLE: 'unavailable',
  ERR_API_UNTRUSTED: 'refused',
  ERR_API_FINGERPRINT: 'refused',
  ERR_API_CREDENTIALS: 'invalid',
  ERR_API_PROTOCOL: 'unsupported',
  ERR_API_FAILED: 'internal',
};

export type ApiErrorFields = {
  /** `host:port` the call went to. */
  readonly endpoint: string;
  /** The target node when it is not the endpoint itself. */
  readonly node?: string | undefined;
  /** Code of the error on the node, 'ERR_CONFIG_INVALID'. */
  readonly reason?: string | undefined;
  readonly problems?: readonly Problem[] | undefined;
  /** What the node's log calls this call; undefined when it was never there. */
  readonly requestId?: string | undefined;
  /** What is wrong with the connection, where that can be told. */
  readonly fault?: ConnectionFault | undefined;
  readonly cause?: unknown;
};

/** A call that failed, on the way or on the node. */
export class ApiError extends CodedError<ApiErrorCode> {
  readonly endpoint: string;
  readonly node: string | undefined;
  readonly reason: string | undefined;
  readonly problems: readonly Problem[];
  readonly requestId: string | undefined;
  readonly fault: ConnectionFault | undefined;

  constructor(code: ApiErrorCode, message: string, fields: ApiErrorFields) {
    super(code, message, fields.cause === undefined ? {} : { cause: fields.cause });
    this.endpoint = fields.endpoint;
    this.node = fields.node;
    this.reason = fields.reason;
    this.problems = fields.problems ?? [];
    this.requestId = fields.requestId;
    this.fault = fields.fault;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ApiError';
  }
}
