import { completes, formatOption, readFormat, type Terminal } from '@nodecore/cli';
import { Argument, type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';
import { addSelectionFlags, timeoutOption } from '../get/selection-flags.ts';
import { idsOfFirst, typeNames } from '../nodes/completers.ts';

type Flags = MaintenanceFlags & {
  readonly for: string;
  readonly selector?: string;
  readonly ids?: readonly string[];
  readonly namespace?: string;
  readonly timeout: number;
  readonly output: string;
};

/** `osctl wait` needs os:reader, with `-i` no certificate; sensitive types need os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Waits until resources of all nodes are as wanted, also over lost connections. Needs os:reader.',
    )
    .addArgument(completes(new Argument('<type>', 'type, as osctl get takes it'), typeNames))
    .addArgument(completes(new Argument('[id]', 'only this one'), idsOfFirst))
    .addOption(
      new Option(
        '--for <condition>',
        'create, delete, or jsonpath=<path>=<value> of what -o json shows; without a value: the path finds something',
      ).makeOptionMandatory(),
    )
    .option('--namespace <namespace>', 'namespace of the resources (default: that of the type)')
    .addOption(timeoutOption());
  addSelectionFlags(command);
  command.addOption(formatOption()).addHelpText(
    'after',
    `
Without an id it waits for all of the type, or all that --selector and --ids mean: each has to be as wanted, and one has to be there.
Ends with 7 when it is not in time.

Examples:
  osctl wait volumestatus u-data --for jsonpath=.spec.phase=ready
  osctl wait services --for jsonpath=.spec.healthy=true --timeout 2m
  osctl wait volumestatus --ids 'u-*' --for jsonpath=.spec.phase=ready
  osctl wait machinesequences machine --for delete`,
  );
  addMaintenanceFlags(command);
  callsMethods(command, 'ResourceService/List', 'ResourceService/Watch');
  addGlobalFlags(command);
  command.action(async (type: string, id: string | undefined, flags: Flags) => {
    const format = await readFormat(flags.output);
    const [{ waitAndPrint }, { readCondition }, { Selection }] = await Promise.all([
      import('./print.ts'),
      import('./condition.ts'),
      import('../get/selection.ts'),
    ]);
    const options = {
      condition: readCondition(flags.for),
      selection: new Selection(flags),
      timeoutMs: flags.timeout,
    };
    const { Targets } = await import('../nodes/target.ts');
    await using targets = await Targets.open({ ...globalFlagsOf(command), ...flags }, terminal);
    await waitAndPrint(targets.all, { type, id, namespace: flags.namespace }, options, format, terminal);
  });
}
