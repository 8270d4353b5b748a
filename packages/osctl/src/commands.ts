import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** Gives a command its flags, arguments, subcommands and action. */
export type Configure = (command: Command, terminal: Terminal) => void;

export type CommandEntry = {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line for the list of commands; `configure` may write more. */
  readonly summary: string;
  /** Loads what the command needs, only when it is the one that runs. */
  readonly load: () => Promise<{ readonly configure: Configure }>;
};

/** Every command, in the order of the help text. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    load: () => import('./commands/completion.ts'),
  },
];
