import { repeatable, type Terminal, UsageError } from '@nodecore/cli';
import type { Command } from 'commander';

type Flags = { readonly patch: readonly string[]; readonly output?: string };

/** `osctl machineconfig patch` calls no node; a file gets the secrets and mode 0600, standard output has them hidden. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .command('patch')
    .description('Patches a configuration file: with documents to merge, or operations of RFC 6902.')
    .argument('<machineconfig-file>', '- reads standard input')
    .addOption(repeatable('-p, --patch <patch>', 'a patch, or @file to read one'))
    .option('-o, --output <file>', 'where to write it (default: standard output, secrets hidden)')
    .action(async (file: string, { patch, output }: Flags) => {
      if (patch.length === 0) throw new UsageError('there is no patch: give one with -p');
      const { patchFile } = await import('./patch-file.ts');
      await patchFile({ file, patches: patch, ...(output === undefined ? {} : { output }) }, terminal);
    });
}
