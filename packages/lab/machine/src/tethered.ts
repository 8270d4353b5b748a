import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';

export type TetheredOptions = { readonly cwd: string; readonly stdio: StdioOptions };

/**
 * Starts a program that the kernel kills when this process ends, however it ends (prctl(2), PR_SET_PDEATHSIG).
 * The shell between checks its parent after the tether is set: a parent that died before would not be noticed.
 */
export function tethered(argv: readonly string[], options: TetheredOptions): ChildProcess {
  const guard = '[ "$PPID" = "$1" ] || exit 1; shift; exec "$@"';
  return spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', '--', 'sh', '-c', guard, 'sh', String(process.pid), ...argv],
    options,
  );
}

/** Resolves when the process is gone; at once when it already is. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  await once(child, 'exit');
}
