import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from './methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';
import { examples } from '../examples.ts';

type Flags = MaintenanceFlags & { readonly output: string; readonly list?: true };

/** `osctl auth can-i` loads the commands that it is asked about, to learn their methods; any role may ask. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('What the certificate in use may do on nodes.').helpCommand(false);
  const canI = command
    .command('can-i')
    .description(
      'Asks nodes whether a command, or a method of their API, is allowed. Ends with 0 when it is on all of them, with 1 otherwise.',
    )
    .argument('[what...]', 'a command, as `trim` or `kvstore snapshot`, or a method, as TrimService/Trim')
    .option('--list', 'print every method and who may call it')
    .addOption(formatOption())
    .addHelpText(
      'after',
      examples('osctl auth can-i kvstore snapshot -n 10.0.0.5', 'osctl auth can-i --list'),
    )
    .action(async (words: readonly string[], flags: Flags) => {
      const { canI: ask } = await import('./can-i.ts');
      const request = { words, list: flags.list === true };
      await ask(command.parent!, request, { ...globalFlagsOf(canI), ...flags }, terminal);
    });
  addMaintenanceFlags(canI);
  callsMethods(canI, 'MachineService/Access');
  addGlobalFlags(canI);
}
