import {
  booleanOption,
  destroyingOption,
  listOption,
  parseDuration,
  type Terminal,
  formatOption,
} from '@nodecore/cli';
import { Option, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { progressOption } from '../lifecycle/flags.ts';
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
    .addOption(booleanOption('--wait [boolean]', 'wait until the node answers again', true))
    .option('--debug', 'tell everything that is seen meanwhile, with its time; waits')
    .addOption(
      new Option('--timeout <duration>', 'how long it may take')
        .argParser(parseDuration)
        .default(1_800_000, '30m0s'),
    )
    .addOption(progressOption())
    .option('--dry-run', 'check, print what would be destroyed, and change nothing')
    .addOption(destroyingOption('-y, --yes', 'do not ask'))
    .addOption(formatOption())
    .action(async (flags: Omit<ResetFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
      const { reset } = await import('./reset.ts');
      await reset({ ...globalFlagsOf(command), ...flags }, terminal);
    });
  callsMethods(command, 'StorageService/Reset');
  addGlobalFlags(command);
}
