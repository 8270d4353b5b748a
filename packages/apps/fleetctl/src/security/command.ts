import { formatOption, type Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import type { Asked } from './images.ts';
import type { ScanFlags } from './scan.ts';

type ImageFlags = {
  readonly machine?: readonly string[];
  readonly osVersion?: string;
  readonly schematic?: string;
  readonly arch: string;
};

/** Reading reports needs the role Reader, and a fleet that was started with an image factory. */
export function configure(command: Command, terminal: Terminal): void {
  addImage(command.command('scan'))
    .description(
      'print what is known to be wrong with the images that machines run, and what upgrades would change',
    )
    .addOption(formatOption(['sarif']))
    .addOption(
      new Option('--fail-on <severity>', 'end with 1 when there is one as bad as that, or worse').choices([
        'critical',
        'high',
        'medium',
        'low',
        'negligible',
      ]),
    )
    .action(async (cluster: string | undefined, flags: ImageFlags & ScanFlags, own: Command) => {
      const { scanImages } = await import('./scan.ts');
      await scanImages(globalFlagsOf(own), askedOf(cluster, flags), flags, terminal);
    });
  for (const [name, report, of, summary] of [
    ['sbom', 'spdx.json', 'image', 'print what an image is made of, in SPDX 2.3'],
    ['vex', 'vex.json', 'version', 'print what a release says of vulnerabilities, in OpenVEX'],
  ] as const)
    addImage(command.command(name))
      .description(summary)
      .action(async (cluster: string | undefined, flags: ImageFlags, own: Command) => {
        const { printDocument } = await import('./document.ts');
        await printDocument(globalFlagsOf(own), askedOf(cluster, flags), { report, of }, terminal);
      });
  for (const each of command.commands) addGlobalFlags(each);
}

function addImage(command: Command): Command {
  return command
    .argument('[cluster]', 'images of its machines (default: of all machines)')
    .option('--machine <name...>', 'images of these machines: id, UUID or host name')
    .option('--os-version <version>', 'an image in place of those of machines, with --schematic')
    .option('--schematic <id>', 'its schematic')
    .option('--arch <architecture>', 'its architecture', 'amd64');
}

function askedOf(cluster: string | undefined, flags: ImageFlags): Asked {
  const { machine: machines = [], osVersion: version, schematic, arch: architecture } = flags;
  return { cluster, machines, version, schematic, architecture };
}
