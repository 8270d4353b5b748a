import type { Command } from 'commander';

import type { Terminal } from './terminal.ts';

/** Gives a command its flags, arguments, subcommands and action. */
export type Configure = (command: Command, terminal: Terminal) => void;

/** A line of a program's registry: help and completion come from it. */
export type CommandEntry = {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line for the list of commands; `configure` may write more. */
  readonly summary: string;
  /** Not for people: left out of the help text. */
  readonly hidden?: true;
  /** All that it does destroys, so it is never proposed to somebody who mistyped another. */
  readonly destroys?: true;
  /** Loads what the command needs, only when it is the one that runs. */
  readonly load: () => Promise<{ readonly configure: Configure }>;
};
