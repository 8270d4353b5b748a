import { Option, type Command } from 'commander';
import { parseDuration } from '../duration.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf, type MaintenanceFlags } from '../flags.ts';
import type { Terminal } from '../terminal.ts';

type Flags = MaintenanceFlags & {
  readonly file: string;
  readonly dryRun?: true;
  readonly mode: 'auto' | 'no-reboot' | 'staged' | 'try';
  readonly timeout: number;
};

export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Replaces the machine configuration of nodes, after checking it here.')
    .requiredOption('-f, --file <file>', 'the configuration; - reads standard input')
    .option('--dry-run', 'print what would change, secrets hidden, and change nothing')
    .addOption(
      new Option(
        '-m, --mode <mode>',
        'auto and no-reboot: now and for good; staged: at the next boot; try: until --timeout',
      )
        .choices(['auto', 'no-reboot', 'staged', 'try'])
        .default('auto'),
    )
    .addOption(
      new Option(
        '--timeout <duration>',
        'with --mode try: go back after this time unless it is applied again in another mode',
      )
        .argParser(parseDuration)
        .default(60_000, '1m0s'),
    );
  addMaintenanceFlags(command);
  addGlobalFlags(command);
  command.action(async (flags: Flags) => {
    const { applyConfiguration } = await import('../apply/apply.ts');
    await applyConfiguration(
      { file: flags.file, mode: flags.mode, dryRun: flags.dryRun === true, timeoutMs: flags.timeout },
      { ...globalFlagsOf(command), ...flags },
      terminal,
    );
  });
}
