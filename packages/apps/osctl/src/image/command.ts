import { destroys, formatOption, type Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { addLocal } from './local-command.ts';

type Flags = { readonly namespace: string; readonly output: string };

/** The first subcommands of `osctl image` are about the images that nodes keep; the others call no node. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'The images of containers that nodes keep, and caches of images. A node without a container runtime refuses.',
    )
    .helpCommand(false);
  addList(command, terminal);
  addPull(command, terminal);
  addRemove(command, terminal);
  for (const each of command.commands) {
    each
      .addOption(
        new Option('--namespace <namespace>', 'whose images')
          .choices(['system', 'cri', 'inmem', 'taloscontainers'])
          .default('cri'),
      )
      .addOption(formatOption());
    addGlobalFlags(each);
  }
  addLocal(command, terminal);
}

function addList(image: Command, terminal: Terminal): void {
  callsMethods(image.command('list').aliases(['l', 'ls']), 'ContainerService/ImageList')
    .description('Lists the images on nodes. Needs os:reader.')
    .addHelpText('after', examples('osctl image list -n 10.0.0.5'))
    .action(async (flags: Flags, command: Command) => {
      const { listImages } = await import('./images.ts');
      await listImages({ ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addPull(image: Command, terminal: Terminal): void {
  callsMethods(image.command('pull <image>').alias('p'), 'ContainerService/ImagePull')
    .description('Has nodes pull an image, and prints its name with the digest. Needs os:operator.')
    .addHelpText('after', examples('osctl image pull registry.k8s.io/pause:3.10.1 -n 10.0.0.5'))
    .action(async (reference: string, flags: Flags, command: Command) => {
      const { pullImage } = await import('./images.ts');
      await pullImage(reference, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}

function addRemove(image: Command, terminal: Terminal): void {
  destroys(callsMethods(image.command('remove <image>').alias('rm'), 'ContainerService/ImageRemove'))
    .description('Removes an image from nodes. Needs os:admin.')
    .addHelpText('after', examples('osctl image remove registry.k8s.io/pause:3.10.1 -n 10.0.0.5'))
    .action(async (reference: string, flags: Flags, command: Command) => {
      const { removeImage } = await import('./images.ts');
      await removeImage(reference, { ...globalFlagsOf(command), ...flags }, terminal);
    });
}
