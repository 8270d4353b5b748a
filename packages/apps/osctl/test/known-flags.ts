import type { Command, Option } from 'commander';

import { everyCommand, wholeProgram } from './whole-program.ts';

/**
 * A flag of the interface: its names as help has them, its type, what it is without it, and its words where it has no others. `any`: it
 * goes with the version, or says itself what is there without it.
 */
export type KnownFlag = readonly [
  flag: string,
  type: FlagType,
  value: string | boolean,
  choices?: readonly string[],
];

/** `strings` are divided at commas, `stringArray` are not. */
export type FlagType = 'bool' | 'value' | 'strings' | 'stringArray';

/** Flags by command. */
export type KnownFlags = Readonly<Record<string, readonly KnownFlag[]>>;

/** What of these flags is not there, or is another; empty: nothing. */
export async function wrongFlags(known: KnownFlags): Promise<readonly string[]> {
  const commands = new Map(everyCommand(await wholeProgram()).map((command) => [pathOf(command), command]));
  return Object.entries(known).flatMap(([path, flags]) =>
    flags.flatMap(([flag, type, value, choices]) => {
      const option = optionOf(commands.get(path), flag);
      if (option === undefined) return `${path} ${flag}: missing`;
      const found = [typeOf(option), value === 'any' ? value : valueOf(option, value)] as const;
      if (found[0] !== type || found[1] !== value) return `${path} ${flag}: ${found.join(' ')}`;
      const missing = choices?.filter((word) => option.argChoices?.includes(word) !== true) ?? [];
      return missing.length === 0 ? [] : `${path} ${flag}: no ${missing.join(', ')}`;
    }),
  );
}

/** What it is without it; some say so in their description alone. */
function valueOf({ defaultValue, description }: Option, wanted: string | boolean): unknown {
  if (Array.isArray(defaultValue)) return defaultValue.join(',');
  if (typeof wanted === 'boolean') return defaultValue ?? false;
  if (defaultValue !== undefined) return String(defaultValue);
  return /\(default: (.*)\)$/.exec(description)?.[1] ?? '';
}

/** By its names: `--mode`, or with the short one, `-m, --mode`. */
function optionOf(command: Command | undefined, flag: string): Option | undefined {
  const [long, short] = flag.split(', ').toReversed();
  for (let next = command ?? null; next !== null; next = next.parent) {
    const found = next.options.find(
      (option) => option.long === long && (short === undefined || option.short === short),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** By what it makes of a value with a comma. */
function typeOf(option: Option): FlagType {
  if (!option.required) return 'bool';
  try {
    const made: unknown = option.parseArg?.('a,b', option.defaultValue);
    if (Array.isArray(made) && made.slice(-2).join() === 'a,b' && made.at(-1) === 'b') return 'strings';
    return Array.isArray(made) ? 'stringArray' : 'value';
  } catch {
    return 'value'; // such as a time
  }
}

function pathOf(command: Command): string {
  const words: string[] = [];
  for (let next: Command | null = command; next !== null; next = next.parent) words.unshift(next.name());
  words.shift(); // the program
  return words.join(' ');
}
