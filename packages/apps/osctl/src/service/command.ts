import { completes, formatOption, type Terminal } from '@nodecore/cli';
import { Argument, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';
import { idsOf } from '../nodes/completers.ts';
import type { ServiceAction } from './service.ts';

type Flags = MaintenanceFlags & { readonly output: string };

const actions: readonly ServiceAction[] = ['start', 'stop', 'restart', 'status'];

/** `osctl service` shows what nodes keep running, with os:reader, and starts and stops it, with os:operator. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Lists the services of nodes; of one, shows what happened to it, or starts and stops it. Needs os:reader, and os:operator to ' +
        'start and stop.',
    )
    .addArgument(completes(new Argument('[id]', 'a service'), idsOf('services')))
    .addArgument(new Argument('[action]', 'what to do with it').choices(actions).default('status'))
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  osctl service
  osctl service etcd
  osctl service etcd restart
  osctl service -o jsonpath={.id}`,
    );
  addMaintenanceFlags(command);
  callsMethods(
    command,
    'SupervisorService/ServiceList',
    'SupervisorService/ServiceStart',
    'SupervisorService/ServiceStop',
    'SupervisorService/ServiceRestart',
  );
  addGlobalFlags(command);
  command.action(async (id: string | undefined, action: ServiceAction, flags: Flags) => {
    const { listServices, performOn, showService } = await import('./service.ts');
    const all = { ...globalFlagsOf(command), ...flags };
    if (id === undefined) await listServices(all, terminal);
    else if (action === 'status') await showService(id, all, terminal);
    else await performOn(id, action, all, terminal);
  });
}
