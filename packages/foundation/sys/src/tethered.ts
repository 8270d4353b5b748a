import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

/** The shell looks at its parent after the tether is set: one that died before would not be noticed. */
const guard = '[ "$PPID" = "$1" ] || exit 1; shift; exec "$@"';

/** Where there is no shell, this names the program that does the same (native/init/tether.cc); the node OS sets it. */
const tetherVariable = 'NODECORE_TETHER';

/** What a shell ends with when the program is not there. */
export const programNotFound = 127;

/**
 * The command line that runs a program as a child which the kernel kills when this process ends, however it ends
 * (prctl(2), PR_SET_PDEATHSIG). This process must start it itself. It ends with 127 when the program is not there.
 * A program that changes its credentials, or is set-user-ID, loses the tether.
 *
 * @param argv the program, looked for in the path, and its arguments
 * @param confinement more options of setpriv(1), such as `--no-new-privs`
 */
export function tetheredCommand(
  argv: readonly string[],
  confinement: readonly string[] = [],
): readonly [string, ...string[]] {
  const program = process.env[tetherVariable];
  const look = program === undefined ? ['sh', '-c', guard, 'sh'] : [program];
  return ['setpriv', ...confinement, '--pdeathsig', 'KILL', '--', ...look, String(process.pid), ...argv];
}

/**
 * Starts a program that ends with this process; see {@link tetheredCommand}. The child emits `error` with ENOENT when
 * util-linux's setpriv is not there.
 *
 * @param confinement as for {@link tetheredCommand}
 */
export function tethered(
  argv: readonly string[],
  options: SpawnOptions,
  confinement: readonly string[] = [],
): ChildProcess {
  const [program, ...words] = tetheredCommand(argv, confinement);
  return spawn(program, words, options);
}

/** Resolves when the process is gone; at once when it already is. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  await once(child, 'exit');
}
