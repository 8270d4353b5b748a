import { destroyingOption, type Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { addDrainFlags, addWaitFlags } from '../lifecycle/flags.ts';
import type { UpgradeFlags } from './upgrade.ts';

/** `osctl upgrade` has nodes write another release and, unless told otherwise, reboot into it; needs os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Has nodes pull a release, prove who made it, write it beside the one that runs, and reboot into it. A release that does not ' +
        'come up is left by itself. Needs os:admin.',
    )
    .addOption(
      new Option(
        '-i, --image <reference>',
        'the installer image: <host>/metal-installer/<schematic>:<version>',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option('-m, --reboot-mode <mode>', 'how the node reboots then')
        .choices(['default', 'powercycle', 'force'])
        .default('default'),
    )
    .option('--no-reboot', 'write it only; the next boot tries it')
    .option('--expected-digest <digest>', 'refuse an image with another one: sha256:…')
    .option('--dry-run', 'pull and prove it, say what would be written, and change nothing')
    .addOption(
      destroyingOption(
        '-f, --force',
        'take an unsigned image where Secure Boot is off, and one that says the running release is too old for it',
      ),
    );
  addDrainFlags(command, true, terminal);
  addWaitFlags(command, 'another boot of each node is ready');
  callsMethods(command, 'LifecycleService/Upgrade', 'MachineService/Reboot');
  command.addHelpText(
    'after',
    examples(
      'osctl upgrade -n 10.0.0.5 --image factory.example.com/metal-installer/SCHEMATIC:v1.14.0 --dry-run',
      'osctl upgrade -n 10.0.0.5,10.0.0.6 --image factory.example.com/metal-installer/SCHEMATIC:v1.14.0',
    ),
  );
  addGlobalFlags(command);
  command.action(async (flags: Omit<UpgradeFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { upgrade } = await import('./upgrade.ts');
    await upgrade({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}
