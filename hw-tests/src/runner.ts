import type { Buffer } from 'node:buffer';

export type RunOptions = {
  /** Added to a small standard environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default the checkout. */
  readonly cwd?: string;
  /** Standard input; default none. */
  readonly input?: Uint8Array;
  /** Leaves standard input open after that, for `write`, until `end`. */
  readonly keepInput?: boolean;
  /** Kills the command. */
  readonly signal?: AbortSignal;
};

export type RunResult = { readonly code: number; readonly stdout: Buffer; readonly stderr: Buffer };

/** Where commands run: a machine that is on. */
export type Runner = {
  /** For messages. */
  readonly name: string;
  /** Runs a command to its end and returns exactly what it wrote. A code other than 0 is a result, not an error. */
  run(argv: readonly [string, ...string[]], options?: RunOptions): Promise<RunResult>;
};
