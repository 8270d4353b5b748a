import type { CommandEntry } from '../command-entry.ts';

/** The commands of completion, for the end of a program's registry. */
export const completionCommands: readonly CommandEntry[] = [
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    load: () => import('./completion-command.ts'),
  },
  {
    name: '__complete',
    summary: 'answer the completion script',
    hidden: true,
    load: () => import('./complete-command.ts'),
  },
];
