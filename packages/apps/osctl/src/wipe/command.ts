import { destroyingOption, type Terminal, formatOption } from '@nodecore/cli';
import { Option, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

/** The subcommands of `osctl wipe` are for exactly one node, which checks first; both need os:admin, and names typed. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Makes disks, partitions and volumes blank. DESTROYS what is on them. Needs os:admin.')
    .helpCommand(false);
  addDisk(command, terminal);
  addVolume(command, terminal);
  for (const each of command.commands) addGlobalFlags(each);
}

type VolumeFlags = {
  readonly method: 'FAST' | 'ZEROES';
  readonly dryRun?: true;
  readonly yes?: true;
  readonly output: string;
};

type DiskFlags = VolumeFlags & { readonly dropPartition?: true };

function addDisk(wipe: Command, terminal: Terminal): void {
  callsMethods(wipe.command('disk'), 'StorageService/Wipe')
    .description(
      'Wipes disks or partitions of one node, after you have typed their names. Nothing is touched when one of them is used.',
    )
    .argument('<names...>', 'as the kernel names them, without /dev/: sda, nvme0n1p2')
    .addOption(methodOption())
    .addOption(
      destroyingOption('--drop-partition', 'of partitions: also their entries in the partition table'),
    )
    .option('--dry-run', 'check, print what would be destroyed, and change nothing')
    .addOption(destroyingOption('-y, --yes', 'do not ask'))
    .addOption(formatOption())
    .addHelpText(
      'after',
      examples(
        'osctl wipe disk sdb sdc -n 10.0.0.5 --dry-run',
        'osctl wipe disk nvme0n1p2 -n 10.0.0.5 --drop-partition',
      ),
    )
    .action(async (names: readonly string[], flags: DiskFlags, command: Command) => {
      const { wipeDisks } = await import('./wipe-disks.ts');
      await wipeDisks(names, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addVolume(wipe: Command, terminal: Terminal): void {
  callsMethods(wipe.command('volume'), 'StorageService/WipeVolumes')
    .description(
      'Closes volumes of one node, destroys what they hold and gives their partitions back, after you have typed their ids. ' +
        'A volume whose document is there is made anew at once.',
    )
    .argument('<ids...>', 'ids such as u-data or EPHEMERAL')
    .addOption(methodOption())
    .option('--dry-run', 'check, print what would be destroyed, and change nothing')
    .addOption(destroyingOption('-y, --yes', 'do not ask'))
    .addOption(formatOption())
    .addHelpText('after', examples('osctl wipe volume u-data -n 10.0.0.5'))
    .action(async (ids: readonly string[], flags: VolumeFlags, command: Command) => {
      const { wipeVolumes } = await import('./wipe-volumes.ts');
      await wipeVolumes(ids, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function methodOption(): Option {
  return new Option('--method <method>', 'FAST: discard, and zero signatures; ZEROES: zero every byte')
    .choices(['FAST', 'ZEROES'])
    .default('FAST');
}
