import { formatOption, readFormat, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

type Flags = {
  readonly watch?: true;
  readonly namespace?: string;
  readonly output: string;
  readonly selector?: string;
};

/** `fleetctl get` reads what the caller's role may read. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Prints resources. `fleetctl get rd` lists the types.')
    .argument('<type>', 'type, singular or plural, or one of its aliases: machines, ms, jointokens')
    .argument('[id]', 'only this one')
    .option('-w, --watch', 'go on with every change; survives a lost connection')
    .option('-n, --namespace <namespace>', 'namespace of the resources (default: that of the type)')
    .option('-l, --selector <terms>', 'labels, all of them: k=v,k2!=v2,k3,!k4')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  fleetctl get machines
  fleetctl get ms -o jsonpath='{range .items[*]}{.metadata.id} {.spec.stage}{"\\n"}{end}'
  fleetctl get machines -w`,
    );
  addGlobalFlags(command);
  command.action(async (type: string, id: string | undefined, flags: Flags) => {
    const format = await readFormat(flags.output);
    const { parseSelector } = await import('./selector.ts');
    const labels = parseSelector(flags.selector ?? '');
    const { openFleet } = await import('../session.ts');
    const { client } = await openFleet(globalFlagsOf(command), terminal);
    using _client = client;
    const query = { type, id, namespace: flags.namespace, labels };
    const { getResources, watchResources } = await import('./resources.ts');
    await (flags.watch === true ? watchResources : getResources)(client, query, format, terminal);
  });
}
