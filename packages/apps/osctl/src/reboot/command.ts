import { destroyingOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { addDrainFlags, addWaitFlags } from '../lifecycle/flags.ts';
import type { RebootFlags } from './reboot.ts';

/** `osctl reboot` ends everything on nodes in order and begins their machines anew; needs os:operator. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Ends everything on nodes in order, and begins their machines anew. Needs os:operator.')
    .addOption(
      destroyingOption(
        '-m, --mode <mode>',
        'default: past the firmware where that is proven; powercycle: through the firmware; force: only what was written is kept, nothing is waited for',
      )
        .choices(['default', 'powercycle', 'force'])
        .default('default'),
    );
  addDrainFlags(command, false, terminal);
  addWaitFlags(command, 'another boot of each node is ready');
  callsMethods(command, 'MachineService/Reboot');
  command.addHelpText(
    'after',
    examples('osctl reboot -n 10.0.0.5', 'osctl reboot -n 10.0.0.5 --mode powercycle --wait=false'),
  );
  addGlobalFlags(command);
  command.action(async (flags: Omit<RebootFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { reboot } = await import('./reboot.ts');
    await reboot({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
