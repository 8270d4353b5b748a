import type { Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

/** `fleetctl osconfig` asks nobody: what it writes follows from the context. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Adds a context of the same name to the client config of osctl, whose calls go through the fleet, signed by the same key.',
    )
    .argument('[path]', 'client config of osctl (default: $OSCONFIG, then ~/.os/config)')
    .option(
      '-c, --cluster <name>',
      'cluster that the context is for (default: none, for machines by their id)',
    );
  addGlobalFlags(command);
  command.action(async (path: string | undefined, { cluster }: { cluster?: string }) => {
    const { addOsContext } = await import('./add.ts');
    await addOsContext(globalFlagsOf(command), { path, cluster }, terminal);
  });
}
