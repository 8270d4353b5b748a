import { globalGroup } from '@nodecore/cli';
import { Option, type Command } from 'commander';

/** The flags in front of every command. */
export type GlobalFlags = {
  readonly fleetconfig?: string;
  readonly context?: string;
  readonly insecureSkipTlsVerify?: true;
  readonly authv1KeysDir?: string;
};

/** Adds the global flags to the program or to a command, so that they are taken before it and after it. */
export function addGlobalFlags(command: Command): void {
  const flags = [
    new Option('--fleetconfig <file>', 'client config (default: $FLEETCONFIG, then ~/.os/fleet/config)'),
    new Option('--context <name>', 'context of the client config to use in place of the current one'),
    new Option('--insecure-skip-tls-verify', 'accept any certificate of the fleet manager'),
    new Option(
      '--authv1-keys-dir <directory>',
      'keys that sign calls (default: $AUTHV1_KEYS_DIR, then ~/.os/keys)',
    ),
  ];
  for (const flag of flags) command.addOption(flag.helpGroup(globalGroup));
}

/** The global flags of a command, those after it before those in front of it. */
export function globalFlagsOf(command: Command): GlobalFlags {
  let flags: GlobalFlags = {};
  for (let next: Command | null = command; next !== null; next = next.parent)
    flags = { ...next.opts<GlobalFlags>(), ...flags };
  return flags;
}
