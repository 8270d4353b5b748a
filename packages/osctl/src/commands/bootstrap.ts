import type { Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import type { Terminal } from '../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Makes a node the first member of a new kvstore cluster; the others join it. Once per cluster. Needs os:admin.',
    )
    .action(async () => {
      const { bootstrap } = await import('../kvstore/bootstrap.ts');
      await bootstrap(globalFlagsOf(command), terminal);
    });
  addGlobalFlags(command);
}
