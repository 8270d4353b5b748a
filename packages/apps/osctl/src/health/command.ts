import {
  booleanOption,
  completes,
  formatOption,
  listOption,
  parseDuration,
  type Terminal,
  UsageError,
} from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf } from '../flags.ts';
import { nodeNames } from '../nodes/completers.ts';
import type { HealthFlags } from './flags.ts';

type Flags = Omit<HealthFlags, keyof ReturnType<typeof globalFlagsOf>>;

/** `osctl health` needs os:reader, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Checks nodes and their kvstore, all checks at the same time, and waits until all of them are well. Needs os:reader.',
    )
    .addOption(
      completes(
        listOption('--control-plane-nodes <nodes>', 'control planes to check; in place of -n'),
        nodeNames,
      ),
    )
    .addOption(completes(listOption('--worker-nodes <nodes>', 'workers to check; in place of -n'), nodeNames))
    .addOption(
      completes(
        new Option('--init-node <node>', 'the node of type init, a control plane; in place of -n'),
        nodeNames,
      ),
    )
    .option('--orch-endpoint <url>', 'of the API of an orchestrator; this version runs none')
    .option('--run-e2e', "run the orchestrator's own tests; this version runs none")
    .addOption(
      booleanOption(
        '--server [boolean]',
        'each node judges itself; false: this client does, from its resources',
        true,
      ),
    )
    .addOption(
      new Option('--wait-timeout <duration>', 'how long to wait for what is not well; 0: look once')
        .argParser(parseTimeout)
        .default(1_200_000, '20m0s'),
    )
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
What is not well is said on standard error while it is waited for; the table has all checks, as they were at the end.
Exit codes: 0 all are well; 7 not in time; 1 not at the one look of --wait-timeout 0.

Examples:
  osctl health
  osctl health --wait-timeout 0
  osctl health --control-plane-nodes 10.0.0.2,10.0.0.3,10.0.0.4 --worker-nodes 10.0.0.5
  osctl health --wait-timeout 0 -o 'jsonpath={range .items[?@.state=="failed"]}{.node} {.check}{"\\n"}{end}'`,
    );
  callsMethods(
    command,
    'InspectService/Health',
    'MachineService/Version',
    'StatService/Memory',
    'ResourceService/List',
    'KvstoreService/Members',
    'KvstoreService/Status',
  );
  addMaintenanceFlags(command);
  addGlobalFlags(command);
  command.action(async (flags: Flags) => {
    const all = { ...globalFlagsOf(command), ...flags };
    const names = [flags.controlPlaneNodes, flags.workerNodes, flags.initNode].some(
      (each) => each !== undefined,
    );
    if (names && all.nodes !== undefined)
      throw new UsageError(
        '--control-plane-nodes, --worker-nodes and --init-node name the nodes; leave out -n',
      );
    const { waitForHealth } = await import('./health.ts');
    await waitForHealth(all, terminal);
  });
}

/** A duration, or a bare 0. */
function parseTimeout(text: string): number {
  return text === '0' ? 0 : parseDuration(text);
}
