import { completes, formatOption, type Terminal } from '@nodecore/cli';
import { Argument, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';
import { addSelectionFlags } from '../get/selection-flags.ts';
import { idsOfFirst, typeNames } from '../nodes/completers.ts';

type Flags = MaintenanceFlags & {
  readonly selector?: string;
  readonly ids?: readonly string[];
  readonly namespace?: string;
  readonly output: string;
};

/** `osctl describe` needs os:reader, with `-i` no certificate; sensitive types need os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Prints all that is known of resources, and what parts of the node wait for them. Needs os:reader.',
    )
    .addArgument(completes(new Argument('<type>', 'type, as osctl get takes it'), typeNames))
    .addArgument(completes(new Argument('[id]', 'only this one'), idsOfFirst))
    .option('--namespace <namespace>', 'namespace of the resources (default: that of the type)');
  addSelectionFlags(command);
  command.addOption(formatOption()).addHelpText(
    'after',
    `
Examples:
  osctl describe volumestatus u-data
  osctl describe services
  osctl describe disks --ids 'sd*' -o yaml`,
  );
  addMaintenanceFlags(command);
  callsMethods(command, 'ResourceService/Get', 'ResourceService/List');
  addGlobalFlags(command);
  command.action(async (type: string, id: string | undefined, flags: Flags) => {
    const { describeResources } = await import('./describe.ts');
    await describeResources(
      { type, id, namespace: flags.namespace },
      { ...globalFlagsOf(command), ...flags },
      terminal,
    );
  });
}
