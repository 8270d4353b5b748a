import { formatOption, refuseIgnored, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

type Flags = { readonly withResources?: true; readonly output: string };

/** `osctl inspect dependencies` is for exactly one node; needs os:reader. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('How a node works inside.').helpCommand(false);
  const dependencies = command
    .command('dependencies')
    .description(
      'Prints what runs on a node and how it hangs together, as a graph for Graphviz: pipe it to `dot -Tsvg`.',
    )
    .option('--with-resources', 'also the resources that are read and written')
    .addOption(formatOption())
    .action(async (flags: Flags) => {
      const { printDependencies } = await import('./dependencies.ts');
      await printDependencies({ ...globalFlagsOf(dependencies), ...flags }, terminal);
    });
  refuseIgnored(
    dependencies,
    'withResources',
    'programs always get the resources',
    ({ output }) => output === 'table',
  );
  callsMethods(dependencies, 'InspectService/ControllerRuntimeDependencies');
  addGlobalFlags(dependencies);
}
