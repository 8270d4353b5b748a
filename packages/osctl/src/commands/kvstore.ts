import type { Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { formatOption } from '../output/format.ts';
import type { Terminal } from '../terminal.ts';

type Shown = { readonly output: string };

export function configure(command: Command, terminal: Terminal): void {
  command.description('The kvstore (etcd): its members, alarms and snapshots.').helpCommand(false);
  addStatus(command, terminal);
  for (const each of command.commands) addGlobalFlags(each);
}

function addStatus(kvstore: Command, terminal: Terminal): void {
  kvstore
    .command('status')
    .description('Prints how the member on each node does. Use several nodes to see all members.')
    .addOption(formatOption())
    .action(async (flags: Shown, command: Command) => {
      const { printStatus } = await import('../kvstore/status.ts');
      await printStatus({ ...globalFlagsOf(command), ...flags }, terminal);
    });
}
