import { CommanderError } from 'commander';

import { buildProgram } from './program.ts';

/** Runs one command line. @returns the exit code: 0 ok, 1 failed, 2 usage. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // It was printed already: an error of usage, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`nodecore-fleet: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
