import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

/** The subcommands of `fleetctl config` work on the client config; `add --fleetca` alone asks the fleet, for its certificate. */
export function configure(command: Command, terminal: Terminal): void {
  type Added = { url: string; identity?: string; ca?: string; fleetca?: string; serviceAccountKey?: string };
  command
    .command('add')
    .argument('<name>')
    .description('add a context')
    .requiredOption('--url <url>', 'of the fleet manager: https://host:port')
    .option('--identity <email>', 'who signs the calls')
    .option('--ca <file>', 'certificate of who vouches for the fleet, PEM (default: public authorities)')
    .option('--fleetca <pin>', 'sha256:HEX of it, as the fleet manager prints it: the certificate is fetched')
    .option(
      '--service-account-key <file>',
      'file with a service account: its key becomes that of the context',
    )
    .action(async (name: string, flags: Added, own: Command) => {
      const { addContext } = await import('./add.ts');
      await addContext({ name, ...flags }, globalFlagsOf(own), terminal);
    });
  command
    .command('contexts')
    .description('list the contexts')
    .addOption(formatOption())
    .action(async ({ output }: { output: string }, own: Command) => {
      const { printContexts } = await import('./show.ts');
      await printContexts(globalFlagsOf(own), output, terminal);
    });
  command
    .command('context')
    .argument('<name>')
    .description('make a context current')
    .action(async (name: string, _flags: object, own: Command) => {
      const { useContext } = await import('./show.ts');
      await useContext(globalFlagsOf(own), name, terminal);
    });
  command
    .command('info')
    .description('print the context in use')
    .action(async (_flags: object, own: Command) => {
      const { printInfo } = await import('./show.ts');
      await printInfo(globalFlagsOf(own), terminal);
    });
  for (const each of command.commands) addGlobalFlags(each);
}
