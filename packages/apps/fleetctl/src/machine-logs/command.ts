import { print, type Terminal, UsageError } from '@nodecore/cli';
import type { Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

/** `fleetctl machine-logs` needs the role Reader. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Prints what a machine has logged, as it came over its link.')
    .argument('<id>', 'of the machine: fleetctl get machines')
    .option('-f, --follow', 'go on with every line')
    .option('--tail <lines>', 'begin with so many lines; -1: with all that are kept', '-1');
  addGlobalFlags(command);
  command.action(async (machineId: string, flags: { follow?: true; tail: string }) => {
    if (!/^(?:-1|\d{1,9})$/u.test(flags.tail))
      throw new UsageError(`--tail: "${flags.tail}" is no number of lines`);
    const { openFleet } = await import('../session.ts');
    const { client } = await openFleet(globalFlagsOf(command), terminal);
    using _client = client;
    const request = { machineId, follow: flags.follow === true, tailLines: Number(flags.tail) };
    for await (const { data } of client.machineLogs(request, { signal: terminal.signal }))
      await print(terminal.out, data);
  });
}
