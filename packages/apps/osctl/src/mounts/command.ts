import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';
import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';

type Flags = MaintenanceFlags & { readonly all?: true; readonly output: string };

/** `osctl mounts` shows GB in its table and bytes in structured output; needs os:reader, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('Lists what is mounted, with sizes in GB (10^9 bytes).');
  command.option('-a, --all', 'also file systems without a size, such as proc').addOption(formatOption());
  addMaintenanceFlags(command);
  callsMethods(command, 'MachineService/Mounts');
  addGlobalFlags(command);
  command.action(async (flags: Flags) => {
    const { printMounts } = await import('./mounts.ts');
    await printMounts({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
