import { formatOption, readsFlags, repeatable, type Terminal, UsageError } from '@nodecore/cli';
import type { Mode } from '@nodecore/config';
import { Option, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addConfigFlags, globalFlagsOf } from '../flags.ts';

type Flags = {
  readonly config: readonly string[];
  readonly mode?: Mode;
  readonly node?: string;
  readonly strict?: true;
  readonly output: string;
};

/**
 * `osctl validate` calls no node but the one of `--node`, which needs os:admin; its `-c` is the configuration, and not the cluster as
 * before the command name.
 */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Checks machine configurations, each by itself; no node is asked but the one of --node.')
    .argument('[files...]', 'configurations to check; - for standard input')
    .addOption(repeatable('-c, --config <file>', 'configuration to check; - for standard input'))
    .addOption(
      new Option('-m, --mode <mode>', 'what the node runs on; with --node it may be left out').choices([
        'metal',
        'cloud',
        'container',
      ]),
    )
    .option(
      '--node <node>',
      'have this node check it, too: its disks, volumes and programs; nothing is changed',
    )
    .option('--strict', 'treat warnings as problems')
    .addOption(formatOption(['sarif']));
  callsMethods(command, 'MachineService/ApplyConfiguration');
  readsFlags(command, 'endpoints', 'cluster', 'authv1KeysDir');
  command.addHelpText(
    'after',
    examples(
      'osctl validate -m metal machines/controlplane.yaml machines/worker.yaml',
      'osctl validate -c controlplane.yaml --node 10.0.0.5',
    ),
  );
  addConfigFlags(command);
  command.action(async (more: readonly string[], { config, mode, node, ...flags }: Flags) => {
    const files = [...config, ...more];
    if (files.length === 0) throw new UsageError('there is no configuration: give one with -c');
    if (mode === undefined && node === undefined)
      throw new UsageError('say what the node runs on: -m metal, cloud or container; or which it is: --node');
    const { validate } = await import('./validate.ts');
    const global = { ...globalFlagsOf(command), ...(node === undefined ? {} : { nodes: [node] }) };
    await validate({ files, mode, node, ...flags }, global, terminal);
  });
}
