import type { Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

/** All of it needs the role Admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .command('create')
    .argument('<name>', 'a DNS label')
    .description('make an account for a program; prints the variables of its environment, commented out')
    .option('-t, --ttl <duration>', 'how long its key is good, a year at most', '8760h')
    .option('-r, --role <role>', 'what it may do (default: what you may)')
    .action(async (name: string, flags: { ttl: string; role?: string }, own: Command) => {
      const { createAccount } = await import('./accounts.ts');
      await createAccount(globalFlagsOf(own), { name, ...flags }, terminal);
    });
  command
    .command('destroy')
    .argument('<name>')
    .description('remove an account and its keys')
    .action(async (name: string, _flags: object, own: Command) => {
      const { destroyAccount } = await import('./accounts.ts');
      await destroyAccount(globalFlagsOf(own), name, terminal);
    });
  for (const each of command.commands) addGlobalFlags(each);
}
