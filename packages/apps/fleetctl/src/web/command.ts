import { print, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

/** `fleetctl web` needs the role Reader. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('Prints a link that opens the web page as you, once, within a minute.');
  addGlobalFlags(command);
  command.action(async () => {
    const { openFleet } = await import('../session.ts');
    const { client } = await openFleet(globalFlagsOf(command), terminal);
    using _client = client;
    await print(terminal.out, `${await client.createWebLogin({ signal: terminal.signal })}\n`);
  });
}
