import { booleanOption, listOption } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { addConfigFlags } from '../flags.ts';
import { addRemoteFlags } from './elsewhere.ts';

/** Which cluster, and where clusters are. */
export function addPlaceFlags(command: Command): void {
  command
    .option('--name <name>', 'name of the cluster', 'os-default')
    .option('--state <directory>', 'where clusters are kept (default: ~/.os/clusters)');
  addRemoteFlags(command);
  addConfigFlags(command);
}

/** Which machines of it. */
export function nodesOption(): Option {
  return listOption('-n, --node <names>', 'these machines, by name or address (default: all)');
}

/** Whether there may be too little memory. */
export function overcommitOption(): Option {
  return booleanOption('--overcommit [boolean]', 'they may have more memory than this computer', false);
}

/** Which orchestrator the documents of the nodes name. */
export function orchVersionOption(): Option {
  return new Option(
    '--orch-version <version>',
    'of the orchestrator, such as v1.35.0, in the documents of the nodes (default: none is named)',
  );
}

/** What runs machines, for who knows better than a trial. */
export function acceleratorOption(): Option {
  return new Option('--accelerator <name>', 'what runs the machines (default: as a trial says)')
    .choices(['kvm', 'tcg'])
    .hideHelp();
}

/** How long was said that nodes may take: a default depends on what runs them. */
export function waitTimeoutOf(command: Command): { readonly waitTimeout: string | undefined } {
  const isGiven = command.getOptionValueSource('waitTimeout') !== 'default';
  return {
    waitTimeout: isGiven ? command.opts<{ readonly waitTimeout: string }>().waitTimeout : undefined,
  };
}
