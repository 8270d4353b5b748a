import { createHash } from 'node:crypto';

import type { ServiceLimits } from './cgroups.ts';

/** Absolute paths, without a colon; the target exists. */
export type Bind = { readonly source: string; readonly target: string; readonly readOnly: boolean };

/**
 * `service`: calls that change the kernel, end the machine, make mounts and namespaces, trace others, or use keys, programs and events of
 * the kernel. `extension`: those of them that change the kernel or end the machine. Calls of another architecture end the process.
 */
export type Seccomp = 'service' | 'extension';

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
  /** What is `/` to it; the machine's own by default. */
  readonly root?: string;
  /** Files and directories of the machine that it finds at other paths, and nobody else does. */
  readonly binds?: readonly Bind[];
  readonly files?: number;
  /** What its keeper is confined with, and it with that wherever its root is: options of setpriv(1), such as `--no-new-privs`. */
  readonly confinement?: readonly string[];
  /** Which system calls fail with EPERM in it and in what it starts, and that none of these gets rights which it lacks; none by default. */
  readonly seccomp?: Seccomp;
  readonly oomScoreAdjust?: number;
};

/** Hexadecimal; two programs with the same one are the same. */
export function hashOf({ argv, environment, root, binds, confinement, seccomp, identity }: Program): string {
  const text = JSON.stringify(identity ?? { argv, environment, root, binds, confinement, seccomp });
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
