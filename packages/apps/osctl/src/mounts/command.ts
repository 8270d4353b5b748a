import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';
import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';

type Flags = MaintenanceFlags & { readonly all?: true; readonly output: string };

/** `osctl mounts` shows GB in its table and bytes in structured output; needs os:reader, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('Lists what is mounted, with sizes in GB (10^9 bytes).');
  command.option('-a, --all', 'also file systems without a size, such as proc').addOption(formatOption());
  addMaintenanceFlags(command);
  callsMethods(command, 'MachineService/Mounts');
  command.addHelpText('after', examples('osctl mounts -n 10.0.0.5', 'osctl mounts --all -o json'));
  addGlobalFlags(command);
  command.action(async (flags: Flags) => {
    const { printMounts } = await import('./mounts.ts');
    await printMounts({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
