import { Option, type Command } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import type { Terminal } from '../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Makes disks and partitions blank that belong to no volume. DESTROYS what is on them. Needs os:admin.',
    )
    .helpCommand(false);
  addDisk(command, terminal);
  for (const each of command.commands) addGlobalFlags(each);
}

type DiskFlags = {
  readonly method: 'FAST' | 'ZEROES';
  readonly dropPartition?: true;
  readonly dryRun?: true;
  readonly yes?: true;
};

function addDisk(wipe: Command, terminal: Terminal): void {
  wipe
    .command('disk')
    .description(
      'Wipes disks or partitions of one node, after you have typed their names. Nothing is touched when one of them is used.',
    )
    .argument('<names...>', 'as the kernel names them, without /dev/: sda, nvme0n1p2')
    .addOption(
      new Option('--method <method>', 'FAST: discard, and zero signatures; ZEROES: zero every byte')
        .choices(['FAST', 'ZEROES'])
        .default('FAST'),
    )
    .option('--drop-partition', 'of partitions: also their entries in the partition table')
    .option('--dry-run', 'check, print what would be destroyed, and change nothing')
    .option('-y, --yes', 'do not ask')
    .action(async (names: readonly string[], flags: DiskFlags, command: Command) => {
      const { wipeDisks } = await import('../wipe/wipe-disks.ts');
      await wipeDisks(names, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}
