import { formatOption, repeatable, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';
import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';
import { addApplyFlags, applyFlagsOf, type RawApplyFlags } from '../configuration/apply-flags.ts';

type Flags = MaintenanceFlags &
  RawApplyFlags & { readonly file: string; readonly configPatch: readonly string[]; readonly output: string };

/** `osctl apply-config` checks the patched file before it calls a node; needs os:admin, with `-i` no certificate. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Replaces the machine configuration of nodes, after checking it here.')
    .requiredOption('-f, --file <file>', 'the configuration; - reads standard input')
    .addOption(repeatable('-p, --config-patch <patch>', 'change it before it is sent; @file reads a patch'));
  addApplyFlags(command);
  command.addOption(formatOption());
  addMaintenanceFlags(command);
  callsMethods(command, 'MachineService/ApplyConfiguration');
  command.addHelpText(
    'after',
    examples(
      'osctl apply-config -n 10.0.0.5 -f controlplane.yaml --dry-run',
      'osctl apply-config -i -n 10.0.0.5 -f worker.yaml',
      'osctl apply-config -n 10.0.0.5 -f controlplane.yaml --mode try --timeout 2m',
    ),
  );
  addGlobalFlags(command);
  command.action(async (flags: Flags) => {
    const { applyConfiguration } = await import('./apply.ts');
    await applyConfiguration(
      { file: flags.file, patches: flags.configPatch, ...applyFlagsOf(flags), output: flags.output },
      { ...globalFlagsOf(command), ...flags },
      terminal,
    );
  });
}
