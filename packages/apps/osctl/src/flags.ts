import { InvalidArgumentError, Option, type Command } from 'commander';

import { UsageError } from './errors.ts';

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

const globalGroup = 'Global flags:';

/** Where a global flag that says which nodes counts: elsewhere it would be ignored. */
const readers = new WeakMap<Command, ReadonlySet<string>>();
const targeting: readonly string[] = ['nodes', 'endpoints', 'cluster', 'authv1KeysDir'];

/** Says which of the flags in front of a command it reads, when it talks to no node. */
export function readsGlobalFlags(command: Command, ...names: readonly (keyof GlobalFlags)[]): void {
  readers.set(command, new Set(names));
}

/**
 * Refuses flags in front of a command that talks to no node, and would leave them unread: who gives them believes that it
 * does. `--context` and `--osconfig` are a setting for all commands, as $OSCONFIG is.
 *
 * @throws {UsageError}
 */
export function refuseUnread(program: Command, command: Command): void {
  const read = readers.get(command);
  const given = program.options.find(
    (option) =>
      targeting.includes(option.attributeName()) &&
      program.getOptionValueSource(option.attributeName()) === 'cli' &&
      read?.has(option.attributeName()) !== true,
  );
  if (given !== undefined)
    throw new UsageError(`${command.name()} would ignore ${given.long}: it talks to no node; leave it out`);
}

/** Adds those of the global flags that say which client config and context, to a command that talks to no node. */
export function addConfigFlags(command: Command): void {
  for (const flag of configFlags()) command.addOption(flag.helpGroup(globalGroup));
}

function configFlags(): readonly Option[] {
  return [
    new Option('--context <name>', 'context of the client config to use in place of the current one'),
    new Option('--osconfig <file>', 'client config file (default: $OSCONFIG, then ~/.os/config)'),
  ];
}

/** Adds the global flags to the program or to a command that talks to nodes. */
export function addGlobalFlags(command: Command): void {
  readsGlobalFlags(command, 'nodes', 'endpoints', 'cluster', 'authv1KeysDir');
  const flags = [
    listOption(
      '-n, --nodes <nodes>',
      'target these nodes (default: the nodes of the context, else its only endpoint)',
    ),
    listOption('-e, --endpoints <endpoints>', 'connect to these addresses in place of those of the context'),
    ...configFlags().slice(0, 1),
    new Option('-c, --cluster <name>', 'cluster to connect to when the endpoint is a proxy'),
    ...configFlags().slice(1),
    new Option(
      '--authv1-keys-dir <directory>',
      'PGP keys of contexts with the authv1 method, which this version does not have',
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

const lists = new WeakSet<Option>();

/** Whether a flag takes a list with commas. */
export function isListOption(option: Option): boolean {
  return lists.has(option);
}

/** A flag that takes a list with commas, or is given several times. */
export function listOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  lists.add(option);
  return option.argParser<readonly string[] | undefined>((value, previous) => {
    const items = value.split(',').map((item) => item.trim());
    if (items.includes('')) throw new InvalidArgumentError('It has an empty item.');
    return [...(previous ?? []), ...items];
  });
}

/** Refuses a flag where it would be ignored. `unless` is given all flags of the command, and says when the flag counts. */
export function refuseIgnored(
  command: Command,
  name: string,
  words: string,
  unless: (flags: Readonly<Record<string, unknown>>) => boolean,
): void {
  command.hook('preAction', () => {
    const option = command.options.find((each) => each.attributeName() === name);
    if (command.getOptionValueSource(name) === 'cli' && !unless(command.opts()))
      throw new UsageError(`${option?.long} would be ignored: ${words}`);
  });
}

/** Refuses every flag of a command but these and the global ones. */
export function refuseOthers(command: Command, names: readonly string[], words: string): void {
  const other = command.options.find(
    (option) =>
      option.helpGroupHeading !== globalGroup &&
      !names.includes(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (other !== undefined) throw new UsageError(`${other.long} would be ignored: ${words}`);
}
