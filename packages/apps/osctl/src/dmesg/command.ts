import { booleanOption, formatOption, listOption, parseDuration, type Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf } from '../flags.ts';
import type { DmesgFlags } from './dmesg.ts';

/** `osctl dmesg` needs os:reader, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description("Prints the log of the kernel, in which a node's PID 1 and agent write, too.")
    .addOption(booleanOption('-f, --follow [boolean]', 'go on with what comes', false))
    .option('--tail', 'only what comes from now on; goes with --follow')
    .addOption(
      new Option('--since <duration>', 'only what was said so long ago at most').argParser(parseDuration),
    )
    .addOption(
      listOption('--level <levels>', 'only these: emerg, alert, crit, err, warning, notice, info, debug'),
    )
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Times are those of the node's clock as it is now. With --follow a connection that is lost is made again, and no line comes twice.

Examples:
  osctl dmesg
  osctl dmesg -f --tail
  osctl dmesg --since 10m --level emerg,alert,crit,err -o json`,
    );
  addMaintenanceFlags(command);
  callsMethods(command, 'KernelLogService/Dmesg');
  addGlobalFlags(command);
  command.action(async (flags: Omit<DmesgFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { dmesg } = await import('./dmesg.ts');
    await dmesg({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
