import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addNamespaceFlags } from '../containers/namespace.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import type { StatsFlags } from './stats.ts';

/** `osctl stats` needs os:reader. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('Shows what the containers of nodes use, in MB (10^6 bytes). Needs os:reader.');
  addNamespaceFlags(command);
  command.addOption(formatOption()).addHelpText(
    'after',
    `
A node without a container runtime refuses; osctl cgroups shows what all else uses.

Examples:
  osctl stats
  osctl stats --namespace cri`,
  );
  callsMethods(command, 'ContainerService/ContainerStats');
  addGlobalFlags(command);
  command.action(async (flags: Omit<StatsFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { showStats } = await import('./stats.ts');
    await showStats({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
