import type { Command, Option } from 'commander';

/** A command line that is being typed, read as far as it goes. */
export type Line = {
  readonly command: Command;
  /** Arguments of the command before the word that is being typed. */
  readonly positional: readonly string[];
  /** The flag whose value is being typed. */
  readonly flag: Option | undefined;
  /** What the flags before it were given, by their names. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** The typed part of the word, or of the item in it. */
  readonly word: string;
  /** What stands before that in the same word: `--context=`, or the items of a list and their comma. */
  readonly before: string;
};
