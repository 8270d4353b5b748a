import type { Command, CommanderError } from 'commander';

import { absenceOf, type Absences } from './absent-commands.ts';
import { UsageError } from './usage-error.ts';
import { similarCommands, similarFlags } from './suggest.ts';

/** What commander found wrong with a command line, in our words; what is the answer itself, as help is, stays as it is. */
export function usageOf(command: Command, error: CommanderError, absences: Absences): Error {
  if (error.exitCode === 0 || error.code === 'commander.help') return error;
  if (error.code === 'commander.unknownCommand') return unknownCommand(command, absences);
  const message = error.message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .replace(/\.$/, '');
  const proposal = error.code === 'commander.unknownOption' ? proposalOf(unknownFlag(command)) : '';
  return new UsageError(`${message}${proposal}; see ${pathOf(command)} --help`);
}

/** @throws {UsageError} when help is asked for a command that is not there: a program that looks for one believes the exit code. */
export function refuseHelpOfNothing(command: Command, absences: Absences): void {
  const [word] = command.args;
  if (command.commands.length > 0 && word !== undefined && !word.startsWith('-'))
    throw unknownCommand(command, absences);
}

function unknownCommand(command: Command, absences: Absences): UsageError {
  const [word = ''] = command.args;
  const path = pathOf(command);
  const absence = absenceOf([...path.split(' ').slice(1), word].join(' '), absences);
  const message = absence ?? `unknown command '${word}'${proposalOf(similarCommands(command, word))}`;
  return new UsageError(`${message}; see ${path} --help`);
}

/** The first word that commander took for a flag and did not know. */
function unknownFlag(command: Command): string[] {
  const word = command.args.find((each) => each.startsWith('--'));
  return word === undefined ? [] : similarFlags(command, word);
}

function proposalOf(names: readonly string[]): string {
  if (names.length === 0) return '';
  return names.length === 1 ? ` (Did you mean ${names[0]}?)` : ` (Did you mean one of ${names.join(', ')}?)`;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
