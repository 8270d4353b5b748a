import type { Command, Option } from 'commander';
import type { Line } from './line.ts';

/** A word that could stand there, and what it means. */
export type Candidate = { readonly value: string; readonly description?: string };

/** Asks for names that only the client config or a node knows. */
export type Names = {
  readonly contexts: () => Promise<readonly string[]>;
  readonly endpoints: () => Promise<readonly string[]>;
  readonly nodes: () => Promise<readonly string[]>;
  readonly types: () => Promise<readonly Candidate[]>;
  readonly ids: (type: string) => Promise<readonly string[]>;
  /** Network interfaces that can be captured on. */
  readonly interfaces: () => Promise<readonly string[]>;
};

/** What could stand where the word is being typed, each as the whole word. */
export async function candidatesOf(line: Line, names: Names): Promise<Candidate[]> {
  const all = line.flag === undefined ? await words(line, names) : await values(line.flag, names);
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
  return !word.startsWith('-') && /file$|^path$/u.test(argument?.name() ?? '');
}

async function words({ command, positional, word }: Line, names: Names): Promise<readonly Candidate[]> {
  if (word.startsWith('-')) return flagsOf(command);
  if (command.commands.length > 0) return commandsOf(command);
  const choices = command.registeredArguments[positional.length]?.argChoices;
  if (choices !== undefined) return plain(choices);
  if (command.parent?.name() === 'volume' || command.name() === 'trim')
    return volumes(command, positional, names);
  if (command.name() !== 'get') return [];
  const [type] = positional;
  if (type === undefined) return names.types();
  return positional.length === 1 ? plain(await names.ids(type)) : [];
}

/** Ids of volumes where an argument takes one; rotate-keys and trim take any number. */
async function volumes(
  { registeredArguments }: Command,
  positional: readonly string[],
  names: Names,
): Promise<readonly Candidate[]> {
  const argument = registeredArguments[positional.length] ?? registeredArguments.at(-1);
  const takesOne = argument?.variadic === true || positional.length === 0;
  if (!takesOne || argument?.name() === 'file') return [];
  const ids = await names.ids('volumestatuses');
  return plain(ids.filter((id) => !positional.includes(id)));
}

async function values(flag: Option, names: Names): Promise<readonly Candidate[]> {
  if (flag.flags.endsWith('[boolean]')) return plain(['true', 'false']);
  if (flag.argChoices !== undefined) return plain(flag.argChoices);
  if (flag.long === '--context') return plain(await names.contexts());
  if (flag.long === '--endpoints') return plain(await names.endpoints());
  if (flag.long === '--nodes') return plain(await names.nodes());
  if (flag.long === '--interface') return plain(await names.interfaces());
  if (flag.long === '--why') return plain(await names.ids('disks'));
  const isFormat = flag.long === '--output' && flag.flags.endsWith('<format>'); // others take a file
  return isFormat ? plain(['table', 'json', 'yaml', 'jsonpath=']) : [];
}

function commandsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((each) => ({ value: each.name(), description: each.summary() || each.description() }));
}

function flagsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleOptions(command);
  return visible.map(({ long, short, description }) => ({ value: long ?? short ?? '', description }));
}

function plain(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value }));
}
