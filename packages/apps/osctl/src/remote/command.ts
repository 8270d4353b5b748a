import type { Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

import type { LaunchFlags } from './launch.ts';

/** `osctl remote-provision-launch` gives others the clusters of this computer. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Makes clusters on this computer for others, who call osctl cluster with --remote-endpoint. Who has the token has power over this computer: the machines run as who serves them.',
    )
    .option(
      '--listen <host:port>',
      'where others reach it; unix:/path for this user of this computer',
      '0.0.0.0:50100',
    )
    .option(
      '--state-dir <directory>',
      'where its clusters, images and credentials are',
      '/var/lib/os-remote-provision',
    )
    .option('--tls-cert-file <file>', 'its certificate (default: one is made, and its fingerprint printed)')
    .option('--tls-key-file <file>', 'the key of it')
    .option('--token-file <file>', 'what callers have to know (default: one is made, and printed once)')
    .option('--max-cache <size>', 'of all images that others bring', '20GiB')
    .action(async (flags: LaunchFlags) => {
      const { launch } = await import('./launch.ts');
      await launch(flags, terminal);
    });
}
