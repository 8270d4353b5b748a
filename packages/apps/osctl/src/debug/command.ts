import { listOption, type Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import type { DebugFlags } from './debug.ts';

/** `osctl debug` needs os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Runs a privileged container on one node, for who looks for a fault there. Needs os:admin.')
    .argument('<image>', 'a file with an image (.tar), or the reference of one')
    .addOption(listOption('--args <args>', 'what to run in place of the entrypoint of the image'))
    .addOption(
      new Option(
        '--namespace <namespace>',
        'where the image is kept; inmem: in memory, and gone with the boot',
      )
        .choices(['system', 'inmem'])
        .default('inmem'),
    )
    .addHelpText(
      'after',
      `
A node without a container runtime refuses.

Examples:
  osctl debug -n 10.0.0.5 docker.io/library/alpine:latest
  osctl debug -n 10.0.0.5 ./tools.tar --args sh,-l`,
    );
  callsMethods(command, 'ContainerService/ImagePull', 'ContainerService/ImageImport');
  addGlobalFlags(command);
  command.action(async (image: string, flags: Omit<DebugFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
    const { debug } = await import('./debug.ts');
    await debug(image, { ...globalFlagsOf(command), ...flags }, terminal);
  });
}
