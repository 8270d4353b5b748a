import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { basename } from 'node:path';
import type { Writable } from 'node:stream';

import { identityOf, tethered } from '@nodecore/sys';

import type { MachineRecord } from './machine-record.ts';
import type { MachineSpec } from './spec.ts';

/** `tethered`: a machine ends with the process that switched it on. `kept`: it goes on, and another process may take it over. */
export type Lifetime = 'tethered' | 'kept';

/** Where a program runs; default where this process does. */
export type Namespaces = Pick<MachineSpec, 'networkNamespace' | 'userNamespace'>;

/** Starts the programs of a machine in its directory. */
export type Starter = (
  argv: readonly [string, ...string[]],
  stdio: readonly StdioEntry[],
  namespaces?: Namespaces,
) => Promise<ChildProcess>;

/** For a descriptor of the program's, from 0 on. The first is always `ignore`. */
export type StdioEntry = 'ignore' | 'pipe' | number;

/** Programs that the kernel kills when this process ends. */
export function tetheredStarter(cwd: string): Starter {
  return async (argv, stdio, namespaces) =>
    tethered(inside(argv, namespaces), { cwd, stdio: [...stdio] as StdioOptions });
}

/** nsenter becomes the program: the process id is the program's, and so are the descriptors. */
function inside(
  argv: readonly string[],
  { networkNamespace, userNamespace }: Namespaces = {},
): readonly string[] {
  if (networkNamespace === undefined) return argv;
  const user = userNamespace === undefined ? [] : [`--user=${userNamespace}`, '--preserve-credentials'];
  return ['nsenter', ...user, `--net=${networkNamespace}`, '--', ...argv];
}

/** A shell that becomes the program when it is told to, and ends when nobody is there any more to tell it. */
const gate = 'read -r go || exit 1; exec "$@" </dev/null';

/**
 * Programs in sessions of their own. Each stands in the record before it runs: whenever this process is killed, there is
 * either no program or one that the next keeper finds.
 */
export function keptStarter(cwd: string, record: Pick<MachineRecord, 'add'>): Starter {
  return async (argv, [, ...others], namespaces) => {
    const stdio = ['pipe', ...others] as StdioOptions;
    const child = spawn('sh', ['-c', gate, 'sh', ...inside(argv, namespaces)], {
      cwd,
      stdio,
      detached: true,
    });
    const identity = identityOf(child.pid ?? 0);
    if (identity === undefined) return child; // it could not be started, and emits why
    const input = child.stdin as Writable;
    input.on('error', () => {}); // the shell is gone, and its exit says so
    try {
      await record.add({ ...identity, name: basename(argv[0]) });
      input.end('go\n');
      return child;
    } catch (error) {
      input.destroy();
      throw error;
    }
  };
}
