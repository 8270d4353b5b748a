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
  /** What to say of a command that this version does not have, by its words; undefined for one that nobody knows. */
  readonly absenceOf?: (path: string) => string | undefined;
  /** An error as lines for people. */
  readonly errorLines: (error: unknown) => readonly string[];
  readonly exitCodeOf: (error: unknown) => number;
};
