import { InvalidArgumentError, Option, type Command } from 'commander';

/** The global flags: accepted before the command and after it. */
export type GlobalFlags = {
  readonly cluster?: string;
  readonly context?: string;
  readonly endpoints?: readonly string[];
  readonly nodes?: readonly string[];
  readonly authv1KeysDir?: string;
  readonly osconfig?: string;
};

/** The flags of commands that also talk to a node without a configuration. */
export type MaintenanceFlags = { readonly insecure?: true; readonly certFingerprint?: readonly string[] };

/** Adds the global flags to the program or to a command that talks to nodes. */
export function addGlobalFlags(command: Command): void {
  const flags = [
    listOption(
      '-n, --nodes <nodes>',
      'target these nodes (default: the nodes of the context, else its only endpoint)',
    ),
    listOption('-e, --endpoints <endpoints>', 'connect to these addresses in place of those of the context'),
    new Option('--context <name>', 'context of the client config to use in place of the current one'),
    new Option('-c, --cluster <name>', 'cluster to connect to when the endpoint is a proxy'),
    new Option('--osconfig <file>', 'client config file (default: $OSCONFIG, then ~/.os/config)'),
    new Option('--authv1-keys-dir <directory>', 'PGP keys of contexts that use the authv1 method'),
  ];
  for (const flag of flags) command.addOption(flag.helpGroup('Global flags:'));
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

/** A flag that takes a list with commas, or is given several times. */
export function listOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser<readonly string[] | undefined>((value, previous) => {
    const items = value.split(',').map((item) => item.trim());
    if (items.includes('')) throw new InvalidArgumentError('It has an empty item.');
    return [...(previous ?? []), ...items];
  });
}
