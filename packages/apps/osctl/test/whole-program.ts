import { PassThrough } from 'node:stream';

import { buildProgram, loadCommand } from '@nodecore/cli';
import type { Command } from 'commander';

import { osctl as definition } from '../src/osctl.ts';

/** The command line before any command of it is loaded. */
export function bareProgram(): Command {
  const streams = { out: new PassThrough(), error: new PassThrough(), input: new PassThrough() };
  return buildProgram(definition, { ...streams, env: {}, signal: new AbortController().signal });
}

/** The whole command line, every command of it loaded. */
export async function wholeProgram(): Promise<Command> {
  const program = bareProgram();
  for (const command of program.commands) await loadCommand(command);
  return program;
}

/** A command and all below it. */
export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
