import { listOption } from '@nodecore/cli';
import type { Command, Option } from 'commander';

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
