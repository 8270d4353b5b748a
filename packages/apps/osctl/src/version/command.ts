import type { VersionResponse } from '@nodecore/api/machine';
import {
  formatOption,
  print,
  printable,
  readFormat,
  refuseIgnored,
  type Terminal,
  UsageError,
  formatObjects,
} from '@nodecore/cli';
import { releaseVersion } from '@nodecore/sys/pure';
import type { Command } from 'commander';
import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import {
  addGlobalFlags,
  addMaintenanceFlags,
  type GlobalFlags,
  globalFlagsOf,
  type MaintenanceFlags,
} from '../flags.ts';

type Flags = MaintenanceFlags & { readonly client?: true; readonly short?: true; readonly output: string };

type ClientVersion = { readonly version: string; readonly runtime: string; readonly platform: string };

/** `osctl version` shows its own version also when nodes fail; needs os:reader, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('Prints the version of this client and of the nodes.');
  command
    .option('--client', 'only the client; no node is asked')
    .option('--short', 'only the version numbers');
  command.addOption(formatOption());
  addMaintenanceFlags(command);
  callsMethods(command, 'MachineService/Version');
  command.addHelpText(
    'after',
    examples('osctl version --client --short', 'osctl version -n 10.0.0.5 -o json'),
  );
  addGlobalFlags(command);
  refuseIgnored(command, 'short', 'it goes with -o table', ({ output }) => output === 'table');
  command.action(async (flags: Flags) => {
    const format = await readFormat(flags.output);
    const client = ownVersion();
    if (flags.client === true) refuseTargets({ ...globalFlagsOf(command), ...flags });
    if (format.kind === 'table') await print(terminal.out, clientText(client, flags.short === true));
    if (flags.client === true) {
      if (format.kind !== 'table') await printObject({ client }, flags, terminal);
      return;
    }
    const [{ Targets }, { everyNode }] = await Promise.all([
      import('../nodes/target.ts'),
      import('../nodes/every-node.ts'),
    ]);
    await using targets = await Targets.open({ ...globalFlagsOf(command), ...flags }, terminal);
    const { results, throwFailures } = await everyNode(targets.all, (target) =>
      target.client.version({ node: target.node, signal: terminal.signal }),
    );
    const nodes = results.map(({ target, result }) => ({ node: target.name, ...result }));
    if (format.kind !== 'table') await printObject({ client, nodes }, flags, terminal);
    else if (flags.short === true)
      await print(
        terminal.out,
        nodes.map((node) => `Server ${printable(node.node)}: ${printable(node.version)}\n`).join(''),
      );
    else if (nodes.length > 0) await print(terminal.out, `Server:\n${nodes.map(nodeText).join('')}`);
    throwFailures();
  });
}

/** @throws {UsageError} for a flag that names nodes or endpoints, beside --client. */
function refuseTargets({ nodes, endpoints, cluster, insecure, certFingerprint }: GlobalFlags & Flags): void {
  if ((nodes ?? endpoints ?? cluster ?? insecure ?? certFingerprint) !== undefined)
    throw new UsageError('--client asks no node; leave out the flags that name one');
}

function ownVersion(): ClientVersion {
  return {
    version: releaseVersion,
    runtime: `node ${process.version}`,
    platform: `${process.platform}/${process.arch}`,
  };
}

async function printObject(object: unknown, { output }: Flags, terminal: Terminal): Promise<void> {
  const format = await readFormat(output);
  if (format.kind === 'table') return;
  await print(terminal.out, await formatObjects([object], format, { single: true }));
}

function clientText({ version, runtime, platform }: ClientVersion, short: boolean): string {
  if (short) return `Client: ${version}\n`;
  return `Client:\n${fields([
    ['Version', version],
    ['Runtime', runtime],
    ['OS/Arch', platform],
  ])}`;
}

function nodeText(node: VersionResponse & { readonly node: string }): string {
  return fields([
    ['NODE', node.node],
    ['Hostname', node.hostname],
    ['Version', node.version],
    ['Revision', node.revision],
    ['Built', node.built],
    ['Runtime', node.runtime],
    ['OS/Arch', `${node.os}/${node.arch}`],
    ['Kernel', node.kernel],
    ['Maintenance', node.maintenance ? 'yes: waiting for its first configuration' : 'no'],
  ]);
}

function fields(rows: readonly (readonly [string, string])[]): string {
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `  ${`${name}:`.padEnd(14)}${printable(value)}\n`)
    .join('');
}
