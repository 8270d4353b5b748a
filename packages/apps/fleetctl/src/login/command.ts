import type { Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

/** `fleetctl login` needs no key: it makes one. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Makes a key for the context, has it confirmed by a one-time code, and keeps it. The code is read from standard input.',
    )
    .option('--role <role>', 'the most that calls with this key may do (default: what you may)');
  addGlobalFlags(command);
  command.action(async ({ role }: { role?: string }) => {
    const { login } = await import('./login.ts');
    await login(globalFlagsOf(command), role ?? '', terminal);
  });
}
