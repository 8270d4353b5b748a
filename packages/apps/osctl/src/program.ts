import { Command } from 'commander';
import { commands } from './commands.ts';
import { destroys } from './destroys.ts';
import { exitCodes, exitWords } from './exit.ts';
import { addGlobalFlags, refuseUnread } from './flags.ts';
import type { Terminal } from './terminal.ts';
import { refuseHelpOfNothing, usageOf } from './usage.ts';
import { clientVersion } from './client-version.ts';

const exitCodesHelp = `
Exit codes: ${Object.entries(exitWords)
  .map(([name, words]) => `${exitCodes[name as keyof typeof exitCodes]} ${words}`)
  .join(', ')}.`;

const loaders = new WeakMap<Command, () => Promise<void>>();

/** Gives a command its flags and action. */
export async function loadCommand(command: Command): Promise<void> {
  const load = loaders.get(command);
  loaders.delete(command);
  await load?.();
}

/** The command line, with every command named and only the one that runs loaded. */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('osctl')
    .description('Manages nodes through their API.')
    .usage('[global flags] <command>')
    .helpCommand(false) // `help get` becomes `get --help` before parsing: the command must be loaded first
    .enablePositionalOptions() // after a command its own flags count: `validate -c` is no --cluster
    .version(`osctl ${clientVersion()}`, '-v, --version', 'print the version of this client')
    .addHelpText('beforeAll', ({ command }) => {
      refuseHelpOfNothing(command);
      return '';
    })
    .addHelpText('after', exitCodesHelp);
  addGlobalFlags(program);
  for (const entry of commands) {
    const command = new Command(entry.name).summary(entry.summary).description(entry.summary);
    for (const alias of entry.aliases ?? []) command.alias(alias);
    if (entry.destroys === true) destroys(command);
    program.addCommand(command, { hidden: entry.hidden === true });
    loaders.set(command, async () => {
      const { configure } = await entry.load();
      configure(command, terminal);
      for (const each of everyCommand(command)) applySettings(each, terminal);
    });
  }
  program.hook('preSubcommand', (_program, command) => loadCommand(command));
  program.hook('preAction', refuseUnread);
  applySettings(program, terminal);
  return program;
}

function applySettings(command: Command, terminal: Terminal): void {
  command.showSuggestionAfterError(false); // commander's would also propose what destroys
  command.exitOverride((error) => {
    throw usageOf(command, error);
  });
  command.configureOutput({
    writeOut: (text) => void terminal.out.write(text),
    writeErr: (text) => void terminal.error.write(text),
    outputError: () => {}, // main prints every error, in one way
  });
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
