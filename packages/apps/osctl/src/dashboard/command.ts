import type { Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf } from '../flags.ts';
import { parseInterval } from '../interval.ts';
import type { DashboardFlags } from './dashboard.ts';

/** `osctl dashboard` needs a terminal and os:reader, with `-i` no certificate; it goes on until the user ends it. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Shows on the whole terminal how nodes are, and what keeps them busy. Needs os:reader.')
    .addOption(
      new Option('-d, --update-interval <duration>', 'time between questions to a node')
        .argParser(parseInterval)
        .default(3_000, '3s'),
    )
    .addHelpText(
      'after',
      `
Screens: F1 or 1 the node at a glance, and the log of its kernel; F2 or 2 what keeps it busy;
  F3 or 3 its resources, as they change: all kinds, those of a kind, one as YAML.

Keys:
  h, Left; l, Right     the node before; the next
  j, Down; k, Up        a line down; up
  C-d; C-u              half a page down; up
  C-f, PgDn; C-b, PgUp  a page down; up
  Enter; Esc            open what is chosen; back
  /                     show what has these words; Esc shows all
  C-z                   pause: nothing is asked, and nothing moves; again to go on
  q, C-c                end

A node that does not answer says why, and is asked again after a second, and then less and less often, up to 30 s.

Examples:
  osctl dashboard
  osctl dashboard -n 10.0.0.5,10.0.0.6 -d 1s`,
    );
  addMaintenanceFlags(command);
  callsMethods(
    command,
    'MachineService/Version',
    'MachineService/Mounts',
    'StatService/SystemStat',
    'StatService/Memory',
    'StatService/LoadAvg',
    'StatService/NetworkDeviceStats',
    'StatService/DiskStats',
    'ProcessService/Processes',
    'CgroupService/Pressure',
    'ResourceService/Get',
    'ResourceService/List',
    'ResourceService/Watch',
    'SupervisorService/ServiceList',
    'KernelLogService/Dmesg',
  );
  addGlobalFlags(command);
  command.action(async (flags: DashboardFlags) => {
    const { showDashboard } = await import('./dashboard.ts');
    await showDashboard({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
