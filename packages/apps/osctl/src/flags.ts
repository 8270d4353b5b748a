import { completes, globalGroup, listOption, onlyWhereRead, readsFlags } from '@nodecore/cli';
import { Option, type Command } from 'commander';

import type { GlobalFlags, MaintenanceFlags } from './global-flags.ts';
import { contextNames, endpointNames, nodeNames } from './nodes/completers.ts';

export type { GlobalFlags, MaintenanceFlags };

/** Adds those of the global flags that say which client config and context, to a command that talks to no node. */
export function addConfigFlags(command: Command): void {
  for (const flag of configFlags()) command.addOption(flag.helpGroup(globalGroup));
}

/** `--context` and `--osconfig` are a setting for all commands, as $OSCONFIG is: also those that talk to no node take them. */
function configFlags(): readonly [Option, Option] {
  return [
    completes(
      new Option('--context <name>', 'context of the client config to use in place of the current one'),
      contextNames,
    ),
    new Option('--osconfig <file>', 'client config file (default: $OSCONFIG, then ~/.os/config)'),
  ];
}

/** Adds the global flags to the program or to a command that talks to nodes. */
export function addGlobalFlags(command: Command): void {
  readsFlags(command, 'nodes', 'endpoints', 'cluster', 'authv1KeysDir');
  const [context, osconfig] = configFlags();
  const flags = [
    onlyWhereRead(
      completes(
        listOption(
          '-n, --nodes <nodes>',
          'target these nodes (default: the nodes of the context, else its only endpoint)',
        ),
        nodeNames,
      ),
    ),
    onlyWhereRead(
      completes(
        listOption(
          '-e, --endpoints <endpoints>',
          'connect to these addresses in place of those of the context',
        ),
        endpointNames,
      ),
    ),
    context,
    onlyWhereRead(new Option('-c, --cluster <name>', 'cluster to connect to when the endpoint is a proxy')),
    osconfig,
    onlyWhereRead(
      new Option(
        '--authv1-keys-dir <directory>',
        'keys of contexts with the authv1 method (default: $AUTHV1_KEYS_DIR, then ~/.os/keys)',
      ),
    ),
  ];
  for (const flag of flags) command.addOption(flag.helpGroup(globalGroup));
}

/** Adds -i and --cert-fingerprint. */
export function addMaintenanceFlags(command: Command): void {
  command
    .option('-i, --insecure', 'talk to a node in maintenance mode: encrypted, but nobody is authenticated')
    .addOption(
      listOption(
        '--cert-fingerprint <fingerprints>',
        'only with -i: SPKI SHA-256 fingerprints of the certificates to accept (default: any)',
      ),
    );
}

/** The global flags of a command, those after it before those in front of it. */
export function globalFlagsOf(command: Command): GlobalFlags {
  let flags: GlobalFlags = {};
  for (let next: Command | null = command; next !== null; next = next.parent)
    flags = { ...next.opts<GlobalFlags>(), ...flags };
  return flags;
}
