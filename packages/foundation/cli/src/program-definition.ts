import type { Command } from 'commander';

import type { CommandEntry } from './command-entry.ts';

/** What makes a command-line program that program. */
export type ProgramDefinition = {
  /** As it is called: begins the lines of its errors. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** In the order of the help text. */
  readonly commands: readonly CommandEntry[];
  /** Its exit codes, each with what it means, for the help text. */
  readonly exits: Readonly<Record<number, string>>;
  /** Adds the flags that stand in front of every command. */
  readonly addFlags: (program: Command) => void;
  /** Commands, by their words, that others of its kind have and this version does not, each with the reason. */
  readonly absent?: Readonly<Record<string, string>>;
  /** An error as lines for people. */
  readonly errorLines: (error: unknown) => readonly string[];
  /** An error as programs read it, which ask for it by `NAME_ERRORS=json` in the environment; a line of JSON each. */
  readonly errorObjects?: (error: unknown) => readonly object[];
  readonly exitCodeOf: (error: unknown) => number;
};
