import { CommanderError } from 'commander';
import { AllFailedError } from './errors.ts';
import { errorLines } from './error-lines.ts';
import { exitCodeOf, exitCodes } from './exit.ts';
import { buildProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line on the process's own streams and says the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt); // once: the second one ends the process
  // A reader that has seen enough, as `head` does, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed);
  });
  try {
    return await run(args, {
      out: process.stdout,
      error: process.stderr,
      input: process.stdin,
      env: process.env,
      signal: interrupt.signal,
    });
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** Runs one command line on a terminal and says the exit code. Never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await buildProgram(terminal).parseAsync(helpLast(args), { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return report(error, terminal);
  }
}

function report(error: unknown, terminal: Terminal): number {
  if (terminal.signal.aborted) return exitCodes.interrupted;
  // The help text was printed: asked for, or because no command was given.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  for (const line of errorLines(error)) terminal.error.write(`osctl: ${line}\n`);
  return error instanceof AllFailedError ? error.exitCode : exitCodeOf(error);
}

/** `help get` is `get --help`. */
function helpLast(args: readonly string[]): string[] {
  return args[0] === 'help' ? [...args.slice(1), '--help'] : [...args];
}
