import { formatOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';
import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { addApplyFlags, applyFlagsOf, type RawApplyFlags } from '../configuration/apply-flags.ts';
import { requireConfiguration } from '../configuration/configuration-type.ts';

type Flags = RawApplyFlags & { readonly namespace?: string; readonly output: string };

/** `osctl edit` edits one node after the other, and opens a refused text again; needs os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Opens the machine configuration of nodes in $OS_EDITOR, $EDITOR or vi (on Windows notepad), one after the ' +
        'other, and applies what was changed. Secrets stay on the node and are not shown.',
    )
    .argument('<type>', 'machineconfig, or mc')
    .option('--namespace <namespace>', 'namespace of the resource (default: that of the type)');
  addApplyFlags(command);
  command.addOption(formatOption());
  callsMethods(command, 'MachineService/ApplyConfiguration');
  command.addHelpText(
    'after',
    examples('osctl edit mc -n 10.0.0.5', 'osctl edit mc -n 10.0.0.5 --mode staged'),
  );
  addGlobalFlags(command);
  command.action(async (type: string, flags: Flags) => {
    requireConfiguration(type);
    const { namespace } = flags;
    const { editNodes } = await import('./edit.ts');
    await editNodes(
      { ...applyFlagsOf(flags), output: flags.output, ...(namespace === undefined ? {} : { namespace }) },
      { ...globalFlagsOf(command), ...flags },
      terminal,
    );
  });
}
