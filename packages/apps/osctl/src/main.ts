import { onProcess, runProgram, type Terminal } from '@nodecore/cli';
import { osctl } from './osctl.ts';

/** Runs one command line on the process's own streams and says the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  return await onProcess((terminal) => run(args, terminal));
}

/** Runs one command line on a terminal and says the exit code. Never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  return await runProgram(osctl, args, terminal);
}
