import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

/** Creating and revoking needs the role Operator, the others Reader. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .command('create')
    .argument('<name>', '1 to 16 characters')
    .description('make a token by which machines join, and print its join URL')
    .option('-t, --ttl <duration>', 'how long machines may join by it (default: for ever)')
    .action(async (name: string, flags: { ttl?: string }, own: Command) => {
      const { createToken } = await import('./tokens.ts');
      await createToken(globalFlagsOf(own), name, flags.ttl, terminal);
    });
  command
    .command('list')
    .description('list the tokens')
    .addOption(formatOption())
    .action(async ({ output }: { output: string }, own: Command) => {
      const { listTokens } = await import('./tokens.ts');
      await listTokens(globalFlagsOf(own), output, terminal);
    });
  command
    .command('revoke')
    .argument('<id>', 'the token, or its name')
    .description('let no machine join by it any more; those that have joined stay')
    .action(async (id: string, _flags: object, own: Command) => {
      const { revokeToken } = await import('./tokens.ts');
      await revokeToken(globalFlagsOf(own), id, terminal);
    });
  for (const [name, summary] of [
    ['machine-config', 'print the document that an image carries for its machines to join'],
    ['fleet-endpoint', 'print the join URL'],
    ['kernel-args', 'print kernel arguments, for developers: every reader of a node sees its command line'],
  ] as const)
    command
      .command(name)
      .description(summary)
      .option('--token-id <id>', 'token, or its name (default: the default token)')
      .action(async ({ tokenId }: { tokenId?: string }, own: Command) => {
        const { printJoinConfig } = await import('./tokens.ts');
        await printJoinConfig(globalFlagsOf(own), tokenId, name, terminal);
      });
  for (const each of command.commands) addGlobalFlags(each);
}
