import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type CaptureErrorCode =
  | 'ERR_CAPTURE_INTERFACE' // no such interface; `available` lists the others
  | 'ERR_CAPTURE_INTERFACE_DOWN' // it went down or away while packets were taken
  | 'ERR_CAPTURE_DENIED' // packet sockets need CAP_NET_RAW, promiscuous mode CAP_NET_ADMIN
  | 'ERR_CAPTURE_FILTER' // the kernel refuses the filter
  | 'ERR_CAPTURE_EXISTS' // the file is there already
  | 'ERR_CAPTURE_DISK' // the file can't be written, or not any further
  | 'ERR_CAPTURE_OPTION' // an option that can't be, or options that exclude each other
  | 'ERR_CAPTURE_FORMAT' // a file that is no capture, or is damaged
  | 'ERR_CAPTURE_FAILED'; // anything else; see the cause

const kinds: ErrorKinds<CaptureErrorCode> = {
  ERR_CAPTURE_INTERFACE: 'not-found',
  ERR_CAPTURE_INTERFACE_DOWN: 'refused',
  ERR_CAPTURE_DENIED: 'denied',
  ERR_CAPTURE_FILTER: 'invalid',
  ERR_CAPTURE_EXISTS: 'exists',
  ERR_CAPTURE_DISK: 'exhausted',
  ERR_CAPTURE_OPTION: 'invalid',
  ERR_CAPTURE_FORMAT: 'damaged',
  ERR_CAPTURE_FAILED: 'internal',
};

export type CaptureErrorDetails = {
  readonly cause?: unknown;
  /** Names of interfaces that can be captured on. */
  readonly available?: readonly string[];
};

/** A capture that can't be started or can't go on, or a capture file that can't be read. */
export class CaptureError extends CodedError<CaptureErrorCode> {
  readonly available: readonly string[];

  constructor(code: CaptureErrorCode, message: string, details: CaptureErrorDetails = {}) {
    super(code, `capture: ${message}`, details.cause === undefined ? {} : { cause: details.cause });
    this.available = details.available ?? [];
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'CaptureError';
  }
}
