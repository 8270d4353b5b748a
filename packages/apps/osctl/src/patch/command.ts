import { formatOption, repeatable, type Terminal, UsageError } from '@nodecore/cli';
import type { Command } from 'commander';
import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { addApplyFlags, applyFlagsOf, type RawApplyFlags } from '../configuration/apply-flags.ts';
import { requireConfiguration } from '../configuration/configuration-type.ts';

type Flags = RawApplyFlags & {
  readonly patch: readonly string[];
  readonly patchFile?: string;
  readonly ignoreMissing?: true;
  readonly namespace?: string;
  readonly output: string;
};

/** `osctl patch` patches each node by itself, anew when its configuration was changed meanwhile; needs os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Changes the machine configuration of nodes. Secrets stay on the node and are not shown.')
    .argument('<type>', 'machineconfig, or mc')
    .addOption(
      repeatable('-p, --patch <patch>', 'documents to merge, or operations of RFC 6902; @file reads a patch'),
    )
    .option('--patch-file <file>', 'a patch in a file')
    .option('--ignore-missing', 'to delete a document or a field that is not there is no problem')
    .option('--namespace <namespace>', 'namespace of the resource (default: that of the type)')
    .addHelpText(
      'after',
      `
Examples:
  osctl patch mc -p '{kind: UserVolumeConfig, name: data, mount: {secure: false}}'
  osctl patch mc -p '[{op: remove, path: /UserVolumeConfig~1data/trim}]' --dry-run`,
    );
  addApplyFlags(command);
  command.addOption(formatOption());
  callsMethods(command, 'MachineService/ApplyConfiguration');
  addGlobalFlags(command);
  command.action(async (type: string, flags: Flags) => {
    requireConfiguration(type);
    const { patchFile, namespace } = flags;
    const patches = [...flags.patch, ...(patchFile === undefined ? [] : [`@${patchFile}`])];
    if (patches.length === 0) throw new UsageError('there is no patch: give one with -p or --patch-file');
    const { patchNodes } = await import('./patch-nodes.ts');
    await patchNodes(
      {
        patches,
        ignoreMissing: flags.ignoreMissing === true,
        output: flags.output,
        ...applyFlagsOf(flags),
        ...(namespace === undefined ? {} : { namespace }),
      },
      { ...globalFlagsOf(command), ...flags },
      terminal,
    );
  });
}
