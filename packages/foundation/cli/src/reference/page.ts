import type { EventEmitter } from 'node:events';

import type { Command, Option } from 'commander';

import { globalGroup } from '../flag-rules.ts';

/** A word with what it means. */
export type Item = { readonly term: string; readonly meaning: string };

/** All that the help of one command says, in parts. */
export type Page = {
  /** `osctl kvstore snapshot` */
  readonly path: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** What stands behind the path. */
  readonly usage: string;
  readonly arguments: readonly Item[];
  readonly flags: readonly Item[];
  readonly globalFlags: readonly Item[];
  /** Words behind the flags, as they stand in the help. */
  readonly notes: string;
  /** Lines behind `Examples:`. */
  readonly examples: readonly string[];
  readonly commands: readonly Page[];
};

/** The page of a command that is loaded, with those of the commands below it. */
export function pageOf(command: Command): Page {
  const help = command.createHelp();
  const items = (options: readonly Option[]): Item[] =>
    options.map((option) => ({ term: help.optionTerm(option), meaning: help.optionDescription(option) }));
  const options = help.visibleOptions(command);
  const { notes, examples } = endOf(command);
  return {
    path: pathOf(command),
    aliases: command.aliases(),
    summary: command.summary() || command.description(),
    description: command.description(),
    usage: command.usage(),
    arguments: help.visibleArguments(command).map((argument) => ({
      term: help.argumentTerm(argument),
      meaning: help.argumentDescription(argument),
    })),
    flags: items(options.filter((option) => !isGlobal(option))),
    globalFlags: items(options.filter(isGlobal)),
    notes,
    examples,
    commands: help.visibleCommands(command).map(pageOf),
  };
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function isGlobal({ helpGroupHeading }: Option): boolean {
  return helpGroupHeading === globalGroup;
}

/** Global flags of a command, or of those below it, each once. */
export function globalFlagsOf(page: Page): readonly Item[] {
  const all = [page, ...page.commands].flatMap((each) =>
    each === page ? page.globalFlags : globalFlagsOf(each),
  );
  return [...new Map(all.map((item) => [item.term, item])).values()];
}

/** What a command adds to its help; commander hands it out only by printing. */
function endOf(command: Command): { readonly notes: string; readonly examples: readonly string[] } {
  let text = '';
  // Its types do not say that it is one.
  (command as unknown as EventEmitter).emit('afterHelp', {
    error: false,
    command,
    write: (part: string) => void (text += part),
  });
  const [notes = '', examples = ''] = text.split(/^Examples:\n/mu);
  const [block = '', ...rest] = examples.split(/\n(?! )/u);
  return {
    notes: [notes, ...rest]
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('\n\n'),
    examples: block.split('\n').flatMap((line) => line.trim() || []),
  };
}
