import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

export type ConfigErrorCode =
  | 'ERR_CONFIG_INVALID' // the text breaks at least one rule; see `problems`
  | 'ERR_CONFIG_SIZE'; // no volume size satisfies the wanted limits in the space there is

const kinds: ErrorKinds<ConfigErrorCode> = {
  ERR_CONFIG_INVALID: 'invalid',
  ERR_CONFIG_SIZE: 'exhausted',
};

/** One thing that is wrong with a configuration, and where. Never holds a value from a secret field. */
export type Problem = {
  /** Stable name of the rule: `size.min_gt_max`, `unknown_field`. */
  readonly code: string;
  readonly message: string;
  /** Field inside the document: `encryption.keys[1].slot`; empty for the document itself. */
  readonly path: string;
  /** `UserVolumeConfig/data`; empty when the text has no readable document there. */
  readonly document: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number;
  readonly file?: string;
};

/** A configuration that can't be used. All its problems are there at once, in the order of the text. */
export class ConfigError extends CodedError<ConfigErrorCode> {
  readonly problems: readonly Problem[];

  constructor(code: ConfigErrorCode, message: string, problems: readonly Problem[] = []) {
    super(code, message);
    this.problems = problems;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ConfigError';
  }
}

/** `node.yaml:12:9: minSize is larger than maxSize (size.min_gt_max)`, the form editors jump to. */
export function formatProblem(problem: Problem): string {
  const place = `${problem.file ?? '<config>'}:${problem.line}:${problem.column}`;
  const where = [problem.document, problem.path].filter((part) => part !== '').join(' ');
  return `${place}: ${where === '' ? '' : `${where}: `}${problem.message} (${problem.code})`;
}
