import { booleanOption, destroyingOption, type Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { addWaitFlags } from '../lifecycle/flags.ts';
import type { InstallFlags } from './install.ts';

/** `osctl install` makes a disk the system disk of nodes that have none; needs os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Has nodes that have no system disk pull a release, prove who made it, and put it on a disk. The disk must be empty, unless ' +
        'its loss is consented to. Needs os:admin, before the first configuration by the link of a fleet; without either, ' +
        'a configuration with an UnattendedInstallConfig does the same.',
    )
    .addOption(
      new Option(
        '--image <reference>',
        'the installer image: <host>/metal-installer/<schematic>:<version>',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option('--disk <path>', 'the disk: /dev/nvme0n1, or a link that names it').makeOptionMandatory(),
    )
    .addOption(destroyingOption('--wipe', 'all that is on the disk may go'))
    .option('--expected-digest <digest>', 'refuse an image with another one: sha256:…')
    .option('--dry-run', 'pull and prove it, look at the disk, say what would be done, and change nothing')
    .addOption(destroyingOption('-f, --force', 'take an unsigned image where Secure Boot is off'))
    .addOption(booleanOption('--reboot [boolean]', 'reboot into it', true));
  addWaitFlags(command, 'another boot of each node is ready');
  callsMethods(command, 'LifecycleService/Install', 'MachineService/Reboot');
  command.addHelpText(
    'after',
    examples(
      'osctl install -n 10.0.0.5 --disk /dev/nvme0n1 --image factory.example.com/metal-installer/SCHEMATIC:v1.14.0',
    ),
  );
  addGlobalFlags(command);
  command.action(async (flags: Omit<InstallFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { install } = await import('./install.ts');
    await install({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
