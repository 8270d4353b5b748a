import { createHash } from 'node:crypto';

import type { ServiceLimits } from './cgroups.ts';

/** What a service runs. */
export type Program = {
  /** The program and its arguments. */
  readonly argv: readonly [string, ...string[]];
  /** Only the path by default: nothing of the agent's environment is a service's. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * What must be the same for a program that runs already to be taken for this one; the command line and the environment by
   * default. Change it with what the program reads only at its start.
   */
  readonly identity?: unknown;
  /** What it may take to end when it is asked to, 10 s by default. */
  readonly graceMs?: number;
  readonly limits?: ServiceLimits;
  readonly files?: number;
  readonly oomScoreAdjust?: number;
};

/** Hexadecimal; two programs with the same one are the same. */
export function hashOf({ argv, environment, identity }: Program): string {
  const text = JSON.stringify(identity ?? { argv, environment });
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
