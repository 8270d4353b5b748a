import { onProcess, runProgram, type Terminal } from '@nodecore/cli';

import { fleetctl } from './fleetctl.ts';

/** Runs one command line on the process's own streams and says the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  return await onProcess(async (terminal) => await run(args, terminal));
}

/** Runs one command line on a terminal and says the exit code. Never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  return await runProgram(fleetctl, args, terminal);
}
