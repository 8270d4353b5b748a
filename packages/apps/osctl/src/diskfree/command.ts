import { completes, formatOption, refuseIgnored, type Terminal } from '@nodecore/cli';
import { Argument, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { idsOf } from '../nodes/completers.ts';
import type { DiskfreeFlags } from './diskfree.ts';

/** `osctl diskfree` needs os:reader. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Shows how full the mounted volumes of nodes are.')
    .addArgument(
      completes(
        new Argument('[volume]', 'only this one (default: all that are mounted)'),
        idsOf('VolumeStatuses'),
      ),
    )
    .option('-b, --bytes', 'sizes in bytes')
    .option('-i, --inodes', 'inodes in place of bytes')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Percentages are of what unprivileged writers can have, rounded up, as df has them. A file system that does not answer has its error
in its row. What is mounted besides volumes: osctl mounts.

Examples:
  osctl diskfree
  osctl df EPHEMERAL -b
  osctl df -i`,
    );
  callsMethods(command, 'ResourceService/List', 'MachineService/Mounts');
  addGlobalFlags(command);
  refuseIgnored(command, 'bytes', 'inodes have no size', ({ inodes }) => inodes !== true);
  command.action(async (volume: string | undefined, flags: DiskfreeFlags) => {
    const { diskfree } = await import('./diskfree.ts');
    await diskfree(volume, { ...globalFlagsOf(command), ...flags }, terminal);
  });
}
