import type { Argument, Command } from 'commander';

import type { Terminal } from '../terminal.ts';
import { type Candidate, candidatesFor, isCompleted, plain } from './completes.ts';
import type { Line } from './typed-line.ts';

/** What could stand where the word is being typed, each as the whole word. */
export async function candidatesOf(line: Line, terminal: Terminal): Promise<Candidate[]> {
  const all = await candidates(line, terminal);
  const named = line.before.split(/[=,]/u);
  return all
    .filter(
      ({ value }) => value.startsWith(line.word) && !(line.before.endsWith(',') && named.includes(value)),
    )
    .map((candidate) => ({ ...candidate, value: line.before + candidate.value }));
}

/** Whether a file of this machine could stand there. */
export function takesFile({ flag, command, positional, word }: Line): boolean {
  if (flag !== undefined) return /<(?:file|directory)>$/u.test(flag.flags);
  const argument = command.registeredArguments[positional.length];
  if (word.startsWith('-') || isCompleted(argument)) return false;
  return /file$|^(?:local-)?path$/u.test(argument?.name() ?? '');
}

async function candidates(line: Line, terminal: Terminal): Promise<readonly Candidate[]> {
  const { command, flag, word } = line;
  if (flag === undefined && word.startsWith('-')) return flagsOf(command);
  if (flag === undefined && command.commands.length > 0) return commandsOf(command);
  const taker = flag ?? argumentAt(line);
  if (taker === undefined) return [];
  return taker.argChoices === undefined
    ? await candidatesFor(taker, line, terminal)
    : plain(taker.argChoices);
}

/** The last argument may take any number. */
function argumentAt({ command: { registeredArguments }, positional }: Line): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[positional.length] ?? (last?.variadic === true ? last : undefined);
}

function commandsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((each) => ({ value: each.name(), description: each.summary() || each.description() }));
}

function flagsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleOptions(command);
  return visible.map(({ long, short, description }) => ({ value: long ?? short ?? '', description }));
}
