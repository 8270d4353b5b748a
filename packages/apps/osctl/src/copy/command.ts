import type { Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { withRemotePath } from '../files/remote-path.ts';
import type { CopyFlags } from './copy.ts';

/** `osctl copy` is for one node, and needs os:admin: files may hold secrets. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Copies a file or a tree of a node to this machine. Needs os:admin, and is in the audit trail of the node.',
    )
    .addArgument(withRemotePath('<src-path>', 'file or directory on the node'))
    .argument('<local-path>', 'a directory that is new or empty; - writes a .tar.gz to standard output')
    .option('-x, --one-file-system', 'without what is mounted below')
    .addHelpText(
      'after',
      `
An archive has owners, modes, times, links, devices and extended attributes. A directory gets the contents and links: its files are
yours, with the modes that your umask gives, and devices, pipes and sockets are left out. Nothing that is there is overwritten, and
nothing is written through a link or outside of the directory.
Exit code 6: something could not be read; it is named in the end.

Examples:
  osctl copy /var/log logs
  osctl copy /etc - > etc.tar.gz
  osctl cp /sys/fs/cgroup - | tar -tzf -`,
    );
  callsMethods(command, 'FileService/Copy');
  addGlobalFlags(command);
  command.action(async (source: string, target: string, flags: CopyFlags) => {
    const { copy } = await import('./copy.ts');
    await copy(source, target, { ...globalFlagsOf(command), ...flags }, terminal);
  });
}
