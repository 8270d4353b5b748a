import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import type { ContainersFlags } from './containers.ts';
import { addNamespaceFlags } from './namespace.ts';

/** `osctl containers` needs os:reader. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('Lists the containers of nodes; those of a pod stand below it. Needs os:reader.');
  addNamespaceFlags(command);
  command.addOption(formatOption()).addHelpText(
    'after',
    `
A node without a container runtime refuses.

Examples:
  osctl containers
  osctl containers --namespace cri -o json`,
  );
  callsMethods(command, 'ContainerService/Containers');
  addGlobalFlags(command);
  command.action(async (flags: Omit<ContainersFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { listContainers } = await import('./containers.ts');
    await listContainers({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
