import { PassThrough } from 'node:stream';

import { buildProgram, loadCommand } from '@nodecore/cli';
import type { Command } from 'commander';

import { osctl as definition } from '../src/osctl.ts';

/** The whole command line, every command of it loaded. */
export async function wholeProgram(): Promise<Command> {
  const streams = { out: new PassThrough(), error: new PassThrough(), input: new PassThrough() };
  const program = buildProgram(definition, { ...streams, env: {}, signal: new AbortController().signal });
  for (const command of program.commands) await loadCommand(command);
  return program;
}

/** A command and all below it. */
export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
