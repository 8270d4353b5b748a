import { CommanderError } from 'commander';

import { exitCodes } from './exit-codes.ts';
import { wordsOfErrno } from './read-named.ts';
import type { ProgramDefinition } from './program-definition.ts';
import { buildProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs one command line on the process's own streams.
 *
 * @param run gets the terminal, whose signal the first Ctrl-C fires; a second one ends the process.
 * @returns the exit code.
 */
export async function onProcess(run: (terminal: Terminal) => Promise<number>): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt); // once: the second one ends the process
  // A reader that has seen enough, as `head` does, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.ok);
    process.stderr.write(`standard output: ${wordsOfErrno(error.code ?? error.message)}\n`);
    process.exit(exitCodes.failed);
  });
  try {
    return await run({
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

/**
 * Runs one command line of a program on a terminal. Never throws.
 *
 * @example
 * const shop: ProgramDefinition = {
 *   name: 'shop',
 *   version: '1.0.0',
 *   description: 'Sells things.',
 *   commands: [{ name: 'sell', summary: 'sell a thing', load: () => import('./sell/command.ts') }, ...completionCommands],
 *   exits: { 0: 'ok', 1: 'failed', 2: 'usage' },
 *   addFlags: () => {},
 *   errorLines: (error) => linesOf(error),
 *   exitCodeOf: (error) => exitCodeOf(error),
 * };
 * process.exitCode = await onProcess((terminal) => runProgram(shop, process.argv.slice(2), terminal));
 *
 * @returns the exit code.
 */
export async function runProgram(
  definition: ProgramDefinition,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    await buildProgram(definition, terminal).parseAsync(helpLast(args), { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return report(error, definition, terminal);
  }
}

function report(
  error: unknown,
  { name, errorLines, errorObjects, exitCodeOf }: ProgramDefinition,
  terminal: Terminal,
): number {
  if (terminal.signal.aborted) return exitCodes.interrupted;
  // The help text was printed: asked for, or because no command was given.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  const forPrograms = terminal.env[`${name.toUpperCase()}_ERRORS`] === 'json' ? errorObjects : undefined;
  if (forPrograms === undefined)
    for (const line of errorLines(error)) terminal.error.write(`${name}: ${line}\n`);
  else for (const object of forPrograms(error)) terminal.error.write(`${JSON.stringify(object)}\n`);
  return exitCodeOf(error);
}

/** `help get` is `get --help`. */
function helpLast(args: readonly string[]): string[] {
  return args[0] === 'help' ? [...args.slice(1), '--help'] : [...args];
}
