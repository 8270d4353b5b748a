import { destroyingOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { addWaitFlags } from '../lifecycle/flags.ts';
import type { ShutdownFlags } from './shutdown.ts';

/** `osctl shutdown` ends everything on nodes in order and switches their machines off; needs os:operator. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Ends everything on nodes in order, and switches their machines off. Needs os:operator.')
    .addOption(destroyingOption('--force', 'only what was written is kept, nothing is waited for'));
  addWaitFlags(command, 'the machines are off, as far as that is known from here');
  callsMethods(command, 'MachineService/Shutdown');
  command.addHelpText('after', examples('osctl shutdown -n 10.0.0.5'));
  addGlobalFlags(command);
  command.action(async (flags: Omit<ShutdownFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { shutdown } = await import('./shutdown.ts');
    await shutdown({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
