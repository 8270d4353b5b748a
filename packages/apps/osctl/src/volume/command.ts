import {
  completes,
  destroyingOption,
  destroys,
  formatOption,
  jsonOption,
  type Terminal,
} from '@nodecore/cli';
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { idsOf } from '../nodes/completers.ts';

/** `osctl volume rotate-keys` is for any number of nodes, the other subcommands for exactly one; all need os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Manages the keys and headers of encrypted volumes. Needs os:admin.')
    .helpCommand(false);
  addRotateKeys(command, terminal);
  addRecoveryKey(command, terminal);
  addHeaderBackup(command, terminal);
  addHeaderRestore(command, terminal);
  for (const each of command.commands) addGlobalFlags(each);
}

function volumeArgument(name: string, description: string): Argument {
  return completes(new Argument(name, description), idsOf('volumestatuses'));
}

type RotateFlags = { readonly slot?: readonly number[]; readonly dryRun?: true; readonly output: string };

function addRotateKeys(volume: Command, terminal: Terminal): void {
  callsMethods(volume.command('rotate-keys'), 'VolumeService/RotateKeys')
    .description(
      'Gives the configured keys of volumes new material. A new key is proven before the old one goes.',
    )
    .addArgument(volumeArgument('[volumes...]', 'ids such as u-data; none: every encrypted volume'))
    .addOption(
      new Option(
        '--slot <slots>',
        'only the keys of these slots, also those that ask for a PIN; the new key will not',
      ).argParser<readonly number[]>(parseSlots),
    )
    .option('--dry-run', 'print what would be done, and change nothing')
    .addOption(formatOption())
    .addHelpText(
      'after',
      examples('osctl volume rotate-keys u-data --dry-run', 'osctl volume rotate-keys --slot 1'),
    )
    .action(async (volumes: readonly string[], flags: RotateFlags, command: Command) => {
      const { rotateKeys } = await import('./rotate-keys.ts');
      const request = { volumes, slots: flags.slot ?? [], dryRun: flags.dryRun === true };
      await rotateKeys(request, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}

type Confirmed = { readonly yes?: true; readonly output: string };

function addRecoveryKey(volume: Command, terminal: Terminal): void {
  callsMethods(volume.command('recovery-key'), 'VolumeService/AddRecoveryKey')
    .description('Makes a recovery key here, stores it in a free slot of a volume, and prints it: once.')
    .addArgument(volumeArgument('<volume>', 'id such as u-data'))
    .addOption(destroyingOption('-y, --yes', 'do not ask'))
    .addOption(formatOption())
    .addHelpText('after', examples('osctl volume recovery-key u-data -n 10.0.0.5'))
    .action(async (id: string, flags: Confirmed, command: Command) => {
      const { addRecoveryKey } = await import('./recovery-key.ts');
      await addRecoveryKey(id, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}

type BackupFlags = { readonly output: string; readonly json?: true };

function addHeaderBackup(volume: Command, terminal: Terminal): void {
  callsMethods(volume.command('header-backup'), 'VolumeService/BackupHeader')
    .description(
      "Saves a volume's LUKS2 header. With it and one key, even one removed since, it can be opened.",
    )
    .addArgument(volumeArgument('<volume>', 'id such as u-data'))
    .requiredOption('-o, --output <file>', 'where to save it; a file that is there is never replaced')
    .addOption(jsonOption())
    .addHelpText('after', examples('osctl volume header-backup u-data -n 10.0.0.5 -o u-data.header'))
    .action(async (id: string, flags: BackupFlags, command: Command) => {
      const { backupHeader } = await import('./header-backup.ts');
      await backupHeader(id, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}

type Forced = { readonly force?: true };

function addHeaderRestore(volume: Command, terminal: Terminal): void {
  callsMethods(destroys(volume.command('header-restore')), 'VolumeService/RestoreHeader')
    .description("Puts a saved LUKS2 header back. Keys that were added since don't open the volume any more.")
    .addArgument(volumeArgument('<volume>', 'id such as u-data'))
    .argument('<file>', 'what header-backup has saved')
    .addOption(
      destroyingOption(
        '--force',
        'also when no configured key opens it, and the volume may never open again',
      ),
    )
    .addOption(destroyingOption('-y, --yes', 'do not ask'))
    .addOption(formatOption())
    .addHelpText('after', examples('osctl volume header-restore u-data u-data.header -n 10.0.0.5'))
    .action(async (id: string, file: string, flags: Confirmed & Forced, command: Command) => {
      const { restoreHeader } = await import('./header-restore.ts');
      await restoreHeader(id, file, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}

/** LUKS2 has 32 keyslots. */
const largestSlot = 31;

function parseSlots(text: string, previous: readonly number[] | undefined): readonly number[] {
  const slots = text.split(',').map((item) => item.trim());
  if (!slots.every((slot) => /^\d{1,2}$/.test(slot) && Number(slot) <= largestSlot))
    throw new InvalidArgumentError(`A slot is a number from 0 to ${largestSlot}.`);
  return [...(previous ?? []), ...slots.map(Number)];
}
