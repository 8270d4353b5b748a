import { Command } from 'commander';

import { absenceLines } from './absent-commands.ts';
import { destroys } from './destroys.ts';
import { refuseUnread } from './flag-rules.ts';
import type { ProgramDefinition } from './program-definition.ts';
import type { Terminal } from './terminal.ts';
import { refuseHelpOfNothing, usageOf } from './usage.ts';

const loaders = new WeakMap<Command, () => Promise<void>>();

/** Gives a command its flags and action. */
export async function loadCommand(command: Command): Promise<void> {
  const load = loaders.get(command);
  loaders.delete(command);
  await load?.();
}

/** The command line, with every command named and only the one that runs loaded. */
export function buildProgram(definition: ProgramDefinition, terminal: Terminal): Command {
  const { name, version, description, commands, exits } = definition;
  const exitCodes = Object.entries(exits).map(([code, words]) => `${code} ${words}`);
  const program = new Command(name)
    .description(description)
    .usage('[global flags] <command>')
    .helpCommand(false) // `help get` becomes `get --help` before parsing: the command must be loaded first
    .enablePositionalOptions() // after a command its own flags count: `validate -c` is no --cluster
    .version(`${name} ${version}`, '-v, --version', 'print the version of this client')
    .addHelpText('beforeAll', ({ command }) => {
      refuseHelpOfNothing(command, definition);
      return '';
    })
    .addHelpText(
      'after',
      ['', ...absenceLines(definition), `Exit codes: ${exitCodes.join(', ')}.`].join('\n'),
    );
  definition.addFlags(program);
  for (const entry of commands) {
    const command = new Command(entry.name).summary(entry.summary).description(entry.summary);
    for (const alias of entry.aliases ?? []) command.alias(alias);
    if (entry.destroys === true) destroys(command);
    program.addCommand(command, { hidden: entry.hidden === true });
    loaders.set(command, async () => {
      const { configure } = await entry.load();
      configure(command, terminal);
      for (const each of everyCommand(command)) applySettings(each, definition, terminal);
    });
  }
  program.hook('preSubcommand', (_program, command) => loadCommand(command));
  program.hook('preAction', refuseUnread);
  applySettings(program, definition, terminal);
  return program;
}

function applySettings(command: Command, definition: ProgramDefinition, terminal: Terminal): void {
  command.showSuggestionAfterError(false); // commander's would also propose what destroys
  command.exitOverride((error) => {
    throw usageOf(command, error, definition);
  });
  command.configureOutput({
    writeOut: (text) => void terminal.out.write(text),
    writeErr: (text) => void terminal.error.write(text),
    outputError: () => {}, // runProgram prints every error, in one way
  });
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
