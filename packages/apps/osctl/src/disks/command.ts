import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';
import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';

type Flags = MaintenanceFlags & { readonly output: string };

/** `osctl disks` lists resources of all nodes; needs os:reader, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('Lists the disks. A * marks the one the system is on.');
  command.addOption(formatOption());
  addMaintenanceFlags(command);
  callsMethods(command, 'ResourceService/List');
  command.addHelpText('after', examples('osctl disks -n 10.0.0.5', 'osctl disks -o json'));
  addGlobalFlags(command);
  command.action(async (flags: Flags) => {
    const { printDisks } = await import('./disks.ts');
    await printDisks({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
