import { booleanOption, destroyingOption, listOption, type Terminal } from '@nodecore/cli';
import { Option, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { addWaitFlags } from '../lifecycle/flags.ts';
import type { ResetFlags } from './reset.ts';

/** `osctl reset` is for exactly one node, and destroys only after its names are typed, or with `--yes`; needs os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Ends everything on one node, destroys what is on its partitions and on the disks that you name, after you have typed ' +
        'what, and has the node begin anew: without a configuration when STATE is among it. Needs os:admin.',
    )
    .addOption(booleanOption('--graceful [boolean]', 'leave the kvstore in order first', true))
    .option('--reboot', 'begin the machine anew afterwards (default: the agent alone)')
    .addOption(
      new Option(
        '--wipe-mode <mode>',
        'all: the system, and the user disks that are named; system-disk, user-disks: only these',
      )
        .choices(['all', 'system-disk', 'user-disks'])
        .default('all'),
    )
    .addOption(
      listOption(
        '--system-labels-to-wipe <labels>',
        'only these of the system: STATE, EPHEMERAL, … (default: all, and the settings in META)',
      ),
    )
    .addOption(listOption('--user-disks-to-wipe <disks>', 'these disks as a whole: /dev/sdb'))
    .option('--dry-run', 'check, print what would be destroyed, and change nothing')
    .addOption(destroyingOption('-y, --yes', 'do not ask'))
    .action(async (flags: Omit<ResetFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
      const { reset } = await import('./reset.ts');
      await reset({ ...globalFlagsOf(command), ...flags }, terminal);
    });
  addWaitFlags(command, 'the node is ready again, or waits for a configuration');
  callsMethods(command, 'StorageService/Reset');
  command.addHelpText(
    'after',
    examples(
      'osctl reset -n 10.0.0.5 --dry-run',
      'osctl reset -n 10.0.0.5 --system-labels-to-wipe EPHEMERAL --reboot',
    ),
  );
  addGlobalFlags(command);
}
