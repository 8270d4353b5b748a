import { destroyingOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { addWaitFlags } from '../lifecycle/flags.ts';
import type { RollbackFlags } from './rollback.ts';

/** `osctl rollback` has nodes reboot into the release before; needs os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command.description(
    'Has nodes reboot into the other release that is known to be good; one that did not come up is none. Needs os:admin.',
  );
  command.addOption(
    destroyingOption('-f, --force', 'also to a release that did not come up, when there is no good one'),
  );
  addWaitFlags(command, 'another boot of each node is ready');
  callsMethods(command, 'MachineService/Rollback');
  command.addHelpText('after', examples('osctl rollback -n 10.0.0.5'));
  addGlobalFlags(command);
  command.action(async (flags: Omit<RollbackFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { rollback } = await import('./rollback.ts');
    await rollback({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
