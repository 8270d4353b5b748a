import { InvalidArgumentError, Option, type Command } from 'commander';

import { completes, plain } from './completion/completes.ts';
import { UsageError } from './usage-error.ts';

/** The heading of flags that every command has; {@link refuseOthers} leaves them alone. */
export const globalGroup = 'Global flags:';

const readers = new WeakMap<Command, ReadonlySet<string>>();
const readByFew = new WeakSet<Option>();

/** Marks a flag of the program that only commands which say so read: {@link refuseUnread} refuses it before others. */
export function onlyWhereRead(option: Option): Option {
  readByFew.add(option);
  return option;
}

/** Says which of the flags in front of a command it reads. */
export function readsFlags(command: Command, ...names: readonly string[]): void {
  readers.set(command, new Set(names));
}

/** Whether a command reads a flag that is marked with {@link onlyWhereRead}. */
export function isRead(command: Command, name: string): boolean {
  return readers.get(command)?.has(name) === true;
}

/**
 * Refuses marked flags in front of a command that would leave them unread: who gives them believes that it does not.
 *
 * @throws {UsageError}
 */
export function refuseUnread(program: Command, command: Command): void {
  const given = program.options.find(
    (option) =>
      readByFew.has(option) &&
      program.getOptionValueSource(option.attributeName()) === 'cli' &&
      !isRead(command, option.attributeName()),
  );
  if (given !== undefined)
    throw new UsageError(`${command.name()} would ignore ${given.long}: it talks to no node; leave it out`);
}

const lists = new WeakSet<Option>();

/** Whether a flag takes a list with commas. */
export function isListOption(option: Option): boolean {
  return lists.has(option);
}

/** A flag that takes a list with commas, or is given several times. */
export function listOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  lists.add(option);
  return option.argParser<readonly string[] | undefined>((value, previous) => {
    const items = value.split(',').map((item) => item.trim());
    if (items.includes('')) throw new InvalidArgumentError('It has an empty item.');
    return [...(previous ?? []), ...items];
  });
}

/** A flag that may be given several times; its value may have commas. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, description)
    .argParser<readonly string[]>((value, previous) => [...previous, value])
    .default([], 'none');
}

/** A flag that is on or off unless it is given as `--flag=false` or `--flag=true`. */
export function booleanOption(flags: string, description: string, value: boolean): Option {
  const option = new Option(flags, description).argParser(parseBoolean).preset('true').default(value);
  return completes(option, () => plain(['true', 'false']));
}

function parseBoolean(text: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new InvalidArgumentError('Expected true or false.');
}

/** Refuses a flag where it would be ignored. `unless` is given all flags of the command, and says when the flag counts. */
export function refuseIgnored(
  command: Command,
  name: string,
  words: string,
  unless: (flags: Readonly<Record<string, unknown>>) => boolean,
): void {
  command.hook('preAction', () => {
    const option = command.options.find((each) => each.attributeName() === name);
    if (command.getOptionValueSource(name) === 'cli' && !unless(command.opts()))
      throw new UsageError(`${option?.long} would be ignored: ${words}`);
  });
}

/** Refuses every flag of a command but these and the global ones. */
export function refuseOthers(command: Command, names: readonly string[], words: string): void {
  const other = command.options.find(
    (option) =>
      option.helpGroupHeading !== globalGroup &&
      !names.includes(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (other !== undefined) throw new UsageError(`${other.long} would be ignored: ${words}`);
}
