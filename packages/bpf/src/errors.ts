import { CodedError } from '@nodecore/sys';

export type BpfErrorCode =
  | 'ERR_BPF_FILTER' // the filter's text can't be compiled; see `column`
  | 'ERR_BPF_SYNTAX' // a list of instructions that can't be read; see `line` and `column`
  | 'ERR_BPF_INVALID' // a program that the kernel would refuse; see `instruction`
  | 'ERR_BPF_LINK_TYPE'; // a link type that has no name or number here

export type BpfErrorDetails = {
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1. */
  readonly column?: number;
  /** Index of the instruction, counted from 0 as `tcpdump -d` does. */
  readonly instruction?: number;
  readonly cause?: unknown;
};

/** A filter or a program that can't be used, and where. */
export class BpfError extends CodedError<BpfErrorCode> {
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly instruction: number | undefined;

  constructor(code: BpfErrorCode, message: string, details: BpfErrorDetails = {}) {
    super(code, `bpf: ${message}`, details.cause === undefined ? {} : { cause: details.cause });
    this.line = details.line;
    this.column = details.column;
    this.instruction = details.instruction;
  }

  static {
    this.prototype.name = 'BpfError';
  }
}
