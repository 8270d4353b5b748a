import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import type { TimeFlags } from './time.ts';

/** `osctl time` needs os:reader. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Shows the clocks of nodes beside that of a server, which each node asks once. Needs os:reader.',
    )
    .option('--check <server>', 'whom to ask: a server of NTP, or a clock of the machine such as /dev/ptp0')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Without --check a node asks the first of those that its clock follows. osctl get timestatus shows how well it does.
The offset is what has to be added to the clock of the node, in seconds.

Examples:
  osctl time
  osctl time --check pool.ntp.org
  osctl time -o jsonpath={.offsetMicros}`,
    );
  callsMethods(command, 'TimeService/Time');
  addGlobalFlags(command);
  command.action(async (flags: Omit<TimeFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { showTime } = await import('./time.ts');
    await showTime({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
