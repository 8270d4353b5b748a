import { completes, formatOption, type Terminal } from '@nodecore/cli';
import { Argument, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { idsOf } from '../nodes/completers.ts';

type TrimFlags = { readonly dryRun?: true; readonly output: string };

/** `osctl trim` runs on all nodes at once, and fails when a volume that was named is skipped; needs os:operator. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Tells the disks below volumes which blocks are free, now and not at their next slot. Waits while others wait for I/O. ' +
        'Ctrl-C ends it; what was trimmed stays trimmed. Needs os:operator.',
    )
    .addArgument(
      completes(
        new Argument('[volumes...]', 'ids such as u-data; none: every volume that can be trimmed'),
        idsOf('volumestatuses'),
      ),
    )
    .option('--dry-run', 'print what would be done, and do nothing')
    .addOption(formatOption())
    .action(async (volumes: readonly string[], flags: TrimFlags) => {
      const { trim } = await import('./trim.ts');
      const request = { volumes, dryRun: flags.dryRun === true };
      await trim(request, { ...globalFlagsOf(command), ...flags }, terminal);
    });
  callsMethods(command, 'TrimService/Trim');
  command.addHelpText('after', examples('osctl trim -n 10.0.0.5', 'osctl trim u-data --dry-run'));
  addGlobalFlags(command);
}
