import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type BpfErrorCode =
  | 'ERR_BPF_FILTER' // the filter's text can't be compiled; see `column`
  | 'ERR_BPF_SYNTAX' // a list of instructions that can't be read; see `line` and `column`
  | 'ERR_BPF_INVALID' // a program that the kernel would refuse; see `instruction`
  | 'ERR_BPF_LINK_TYPE' // a link type that has no name or number here
  | 'ERR_BPF_INTERFACE' // no such network interface, or it is down or of a kind that can't be captured
  | 'ERR_BPF_DENIED' // the process may not open the interface: CAP_NET_RAW is missing
  | 'ERR_BPF_COMPLEX'; // libpcap needs more time or stack for this filter than it may have

const kinds: ErrorKinds<BpfErrorCode> = {
  ERR_BPF_FILTER: 'invalid',
  ERR_BPF_SYNTAX: 'invalid',
  ERR_BPF_INVALID: 'invalid',
  ERR_BPF_LINK_TYPE: 'invalid',
  ERR_BPF_INTERFACE: 'refused',
  ERR_BPF_DENIED: 'denied',
  ERR_BPF_COMPLEX: 'invalid',
};

export type BpfErrorDetails = {
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1, in UTF-16 units as everywhere in JavaScript. */
  readonly column?: number;
  /** The word of the filter or the list that is at fault; empty where the text ends too early. */
  readonly token?: string;
  /** Index of the instruction, counted from 0 as `tcpdump -d` does. */
  readonly instruction?: number;
  readonly cause?: unknown;
};

/** A filter or a program that can't be used, and where. */
export class BpfError extends CodedError<BpfErrorCode> {
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly token: string | undefined;
  readonly instruction: number | undefined;

  constructor(code: BpfErrorCode, message: string, details: BpfErrorDetails = {}) {
    super(code, `bpf: ${message}`, details.cause === undefined ? {} : { cause: details.cause });
    this.line = details.line;
    this.column = details.column;
    this.token = details.token;
    this.instruction = details.instruction;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'BpfError';
  }
}
