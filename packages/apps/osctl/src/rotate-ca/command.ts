import {
  booleanOption,
  completes,
  formatOption,
  listOption,
  parseDuration,
  type Terminal,
} from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { nodeNames } from '../nodes/completers.ts';
import type { RotateFlags } from './rotate.ts';

type Flags = Omit<RotateFlags, keyof ReturnType<typeof globalFlagsOf>>;

/** `osctl rotate-ca` needs os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Replaces the authority of the node API, and that of the orchestrator, on all nodes while they serve. Shows the plan unless --dry-run=false is given. Needs os:admin.',
    )
    .addOption(
      completes(listOption('--control-plane-nodes <nodes>', 'all control planes; in place of -n'), nodeNames),
    )
    .addOption(completes(listOption('--worker-nodes <nodes>', 'all workers; in place of -n'), nodeNames))
    .addOption(
      listOption(
        '--without-nodes <nodes>',
        'workers that are no more, though control planes know certificates of them that are still good',
      ),
    )
    .addOption(booleanOption('--dry-run [boolean]', 'show the plan, and change nothing', true))
    .addOption(booleanOption('--os [boolean]', 'the authority of the node API', true))
    .addOption(
      booleanOption('--orch [boolean]', "the authority of the orchestrator, in nodes' documents", true),
    )
    .addOption(
      new Option('--until <step>', 'the last step: the next run goes on')
        .choices(['accept', 'issue', 'drop'])
        .default('drop'),
    )
    .option('--undo', 'go back to the former authorities')
    .option(
      '--with-secrets <file>',
      'secrets of the cluster: get the new authorities at the end; --undo needs their keys once nodes issue with the new',
    )
    .option(
      '--rotation-file <file>',
      'what a rotation goes on from (default: rotate-ca-<context>.yaml beside the client config)',
    )
    .option('--key-servers-ready', 'key servers of volumes take nodes of the new authority')
    .addOption(
      new Option('--timeout <duration>', 'how long a node may take to show a step')
        .argParser(parseDuration)
        .default(300_000, '5m0s'),
    )
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Steps: accept (all nodes accept the new authority beside the former), issue (control planes, then workers), drop (the former
is accepted no more; not to be taken back). A step is done when a handshake with each node has shown it. Cut off anywhere,
the same command goes on.

Examples:
  osctl rotate-ca -n 10.0.0.2,10.0.0.3,10.0.0.4,10.0.0.5
  osctl rotate-ca --dry-run=false --with-secrets secrets.yaml
  osctl rotate-ca --dry-run=false --until issue
  osctl rotate-ca --dry-run=false --undo --with-secrets secrets.yaml`,
    );
  callsMethods(
    command,
    'MachineService/ApplyConfiguration',
    'MachineService/Access',
    'MachineService/Version',
    'ResourceService/List',
    'KvstoreService/Members',
    'KvstoreService/Status',
  );
  addGlobalFlags(command);
  command.action(async (flags: Flags) => {
    const { rotateAuthorities } = await import('./rotate.ts');
    await rotateAuthorities({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
