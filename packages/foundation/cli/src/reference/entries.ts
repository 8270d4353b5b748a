import type { CommandEntry } from '../command-entry.ts';

/** The command that writes pages about all others, for the end of a program's registry. */
export const referenceCommands: readonly CommandEntry[] = [
  {
    name: 'reference',
    summary: 'write the reference of all commands, as Markdown or manual pages',
    load: () => import('./reference-command.ts'),
  },
];
