import { completes, formatOption, type Terminal } from '@nodecore/cli';
import { Argument, type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { idsOf } from '../nodes/completers.ts';
import type { RestartFlags } from './restart.ts';

/** `osctl restart` needs os:operator. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Restarts a service of nodes, and says nothing when it is done. Needs os:operator.')
    .addArgument(completes(new Argument('<id>', 'a service, as osctl service lists them'), idsOf('services')))
    .addOption(
      new Option('--namespace <namespace>', 'system: services; the others are of containers')
        .choices(['system', 'cri', 'taloscontainers', 'orch'])
        .default('system'),
    )
    .addOption(new Option('-k, --orch', 'deprecated: --namespace orch').hideHelp())
    .addOption(formatOption());
  callsMethods(command, 'SupervisorService/ServiceRestart');
  command.addHelpText('after', examples('osctl restart chronyd -n 10.0.0.5'));
  addGlobalFlags(command);
  command.action(async (id: string, flags: Omit<RestartFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { restart } = await import('./restart.ts');
    await restart(id, { ...globalFlagsOf(command), ...flags }, terminal);
  });
}
