import { onProcess, runProgram } from '@nodecore/cli';

import { program } from './program.ts';

/** Runs one command line on the process's own streams and says the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  return await onProcess((terminal) => runProgram(program, args, terminal));
}
