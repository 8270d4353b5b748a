import { completes, formatOption, readFormat, refuseIgnored, type Terminal, UsageError } from '@nodecore/cli';
import { Argument, type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';
import { idsOf, idsOfFirst, typeNames } from '../nodes/completers.ts';
import { addSelectionFlags, timeoutOption } from './selection-flags.ts';

type Flags = MaintenanceFlags & {
  readonly watch?: true;
  readonly namespace?: string;
  readonly selector?: string;
  readonly ids?: readonly string[];
  readonly waitFor?: string;
  readonly timeout: number;
  readonly output: string;
  readonly match?: string;
  readonly why?: string;
};

/** `osctl get` needs os:reader, with `-i` no certificate; `--why` needs os:operator, and sensitive types os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Prints resources: everything the node knows. `osctl get rd` lists the types.')
    .addArgument(
      completes(
        new Argument('<type>', 'type, singular or plural, or one of its aliases: disks, vs, volumestatus'),
        typeNames,
      ),
    )
    .addArgument(completes(new Argument('[id]', 'only this one'), idsOfFirst))
    .option('-w, --watch', 'go on with every change; survives a lost connection')
    .option(
      '--match <cel>',
      'of disks and discoveredvolumes: try a selector, and show which part of it fails for each',
    )
    .addOption(
      completes(
        new Option(
          '--why <disk>',
          'of disks: prove that one is empty, or say why it is not, and what was read for that; needs os:operator',
        ),
        idsOf('disks'),
      ),
    )
    .option('--namespace <namespace>', 'namespace of the resources (default: that of the type)')
    .option(
      '--wait-for <condition>',
      'print them when they are as wanted: create, delete or jsonpath=<path>=<value>, as osctl wait --for',
    )
    .addOption(timeoutOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
JSON is one array, with an id and one node one object, and with -w one object per line.

Examples:
  osctl get disks
  osctl get volumestatus u-data -o jsonpath={.spec.phase}
  osctl get disks -o 'jsonpath={range .items[*]}{.metadata.id} {.spec.size}{"\\n"}{end}'
  osctl get vs -w
  osctl get vs --ids 'u-*' --wait-for jsonpath=.spec.phase=ready
  osctl get disks --match 'disk.size > 100u * GB && !system_disk'
  osctl get disks --why sdb`,
    );
  addSelectionFlags(command);
  refuseIgnored(command, 'timeout', 'it is for --wait-for', ({ waitFor }) => waitFor !== undefined);
  addMaintenanceFlags(command);
  callsMethods(command, 'ResourceService/Get', 'ResourceService/List', 'ResourceService/Watch');
  addGlobalFlags(command);
  command.action(async (type: string, id: string | undefined, flags: Flags) => {
    const format = await readFormat(flags.output);
    if (flags.match !== undefined && flags.watch === true)
      throw new UsageError('--match shows what is true now; leave out --watch');
    if (flags.match !== undefined && flags.namespace !== undefined)
      throw new UsageError('--match asks disks and discoveredvolumes where they are; leave out --namespace');
    if (flags.why !== undefined) refuseBeside(id, flags);
    if (flags.waitFor !== undefined) refuseBesideWait(flags);
    const { Selection } = await import('./selection.ts');
    const selection = new Selection(flags);
    if (!selection.isAll && (flags.match ?? flags.why) !== undefined)
      throw new UsageError('--match and --why have their own ways to choose; leave out --selector and --ids');
    const { Targets } = await import('../nodes/target.ts');
    await using targets = await Targets.open({ ...globalFlagsOf(command), ...flags }, terminal);
    const query = { type, id, namespace: flags.namespace, selection };
    if (flags.why !== undefined) {
      const { explainDisk } = await import('./why.ts');
      await explainDisk(targets.all, { type, device: flags.why }, format, terminal);
    } else if (flags.match !== undefined) {
      const { tryExpression } = await import('./match.ts');
      await tryExpression(targets.all, query, flags.match, format, terminal);
    } else if (flags.waitFor !== undefined) {
      const [{ waitAndPrint }, { readCondition }] = await Promise.all([
        import('../wait/print.ts'),
        import('../wait/condition.ts'),
      ]);
      const options = { selection, condition: readCondition(flags.waitFor), timeoutMs: flags.timeout };
      await waitAndPrint(targets.all, query, options, format, terminal);
    } else if (flags.watch === true) {
      const { watchResources } = await import('./watch.ts');
      await watchResources(targets.all, query, format, terminal);
    } else {
      const { getResources } = await import('./once.ts');
      await getResources(targets.all, query, format, terminal);
    }
  });
}

/** @throws {UsageError} for a flag that does not go with --wait-for. */
function refuseBesideWait({ match, why, watch }: Flags): void {
  if (match !== undefined || why !== undefined)
    throw new UsageError('--wait-for waits for resources; leave out --match and --why');
  if (watch === true)
    throw new UsageError('--wait-for ends when they are as wanted, and --watch never; use one of them');
}

/** @throws {UsageError} for an argument or flag that does not go with --why. */
function refuseBeside(id: string | undefined, { match, watch, namespace, insecure }: Flags): void {
  if (insecure === true)
    throw new UsageError('--why needs os:operator, which nobody has in maintenance mode');
  if (match !== undefined) throw new UsageError('--why and --match are two questions: ask one of them');
  if (watch === true) throw new UsageError('--why shows what is true now; leave out --watch');
  if (id !== undefined) throw new UsageError(`--why names the disk itself; leave out ${id}`);
  if (namespace !== undefined)
    throw new UsageError('--why asks the disk, which is in no namespace; leave out --namespace');
}
