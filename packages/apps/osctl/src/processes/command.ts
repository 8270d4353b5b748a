import { formatOption, refuseIgnored, type Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf } from '../flags.ts';
import { parseInterval } from '../interval.ts';
import type { ProcessesFlags } from './processes.ts';

/** `osctl processes` goes on with `-w` until it is interrupted, also after a lost connection; needs os:reader, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Lists what runs on nodes, threads of the kernel too, and what it uses. Needs os:reader.')
    .addOption(
      new Option(
        '-s, --sort <column>',
        'who comes first: who has most memory, or who has used processors most',
      )
        .choices(['rss', 'cpu'])
        .default('rss'),
    )
    .option(
      '-w, --watch',
      'go on, with the share of a processor since the last table; survives a lost connection',
    )
    .addOption(
      new Option('--interval <duration>', 'with -w: time between tables (default: 3s)').argParser(
        parseInterval,
      ),
    )
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
A thread of the kernel stands in brackets. With --watch, --sort cpu goes by what was used since the last table.

Examples:
  osctl processes
  osctl processes --sort cpu --watch
  osctl ps -o json`,
    );
  addMaintenanceFlags(command);
  callsMethods(command, 'ProcessService/Processes');
  addGlobalFlags(command);
  refuseIgnored(command, 'interval', 'it goes with --watch', ({ watch }) => watch === true);
  command.action(async (flags: Omit<ProcessesFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { showProcesses } = await import('./processes.ts');
    await showProcesses({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
