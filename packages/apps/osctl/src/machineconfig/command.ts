import {
  destroyingOption,
  formatOption,
  jsonOption,
  repeatable,
  type Terminal,
  UsageError,
} from '@nodecore/cli';
import type { Command } from 'commander';

import { addGenConfig } from '../gen/config-command.ts';
import { examples } from '../examples.ts';

/** The subcommands of `osctl machineconfig` call no node; a file gets the secrets and mode 0600, standard output has them hidden. */
export function configure(command: Command, terminal: Terminal): void {
  addGenConfig(command, 'gen', terminal);
  addPatch(command, terminal);
  addDiff(command, terminal);
  addMigrate(command, terminal);
  addSplit(command, terminal);
  addExplain(command, terminal);
}

function addPatch(group: Command, terminal: Terminal): void {
  type Flags = {
    readonly patch: readonly string[];
    readonly output?: string;
    readonly ignoreMissing?: true;
    readonly verbose?: true;
  };
  group
    .command('patch')
    .description('Patches a configuration file: with documents to merge, or operations of RFC 6902.')
    .argument('<machineconfig-file>', '- reads standard input')
    .addOption(repeatable('-p, --patch <patch>', 'a patch, or @file to read one'))
    .option('-o, --output <file>', 'where to write it (default: standard output, secrets hidden)')
    .option('--ignore-missing', 'to delete a document or a field that is not there is no problem')
    .option('--verbose', 'a line for each warning, also where several say the same')
    .addHelpText(
      'after',
      examples('osctl machineconfig patch demo/worker.yaml -p @hostname.yaml -o patched.yaml'),
    )
    .action(async (file: string, { patch, output, ignoreMissing, verbose }: Flags) => {
      if (patch.length === 0) throw new UsageError('there is no patch: give one with -p');
      const { patchFile } = await import('./patch-file.ts');
      await patchFile(
        {
          file,
          patches: patch,
          ignoreMissing: ignoreMissing === true,
          isVerbose: verbose === true,
          ...(output === undefined ? {} : { output }),
        },
        terminal,
      );
    });
}

function addDiff(group: Command, terminal: Terminal): void {
  type Flags = { readonly output: string; readonly patchFile?: string; readonly exitCode?: true };
  group
    .command('diff')
    .description(
      'Says what is different between two configurations, document by document: comments, layout and order do not count. ' +
        'Secrets are hidden.',
    )
    .argument('<before>', 'a configuration; - reads standard input')
    .argument('<after>', 'another one; - reads standard input')
    .addOption(formatOption(['patch']))
    .option(
      '--patch-file <file>',
      'where to write the patch that makes the one of the other, secrets included',
    )
    .option('--exit-code', 'end with 8 when something is different')
    .addHelpText('after', examples('osctl machineconfig diff demo/worker.yaml patched.yaml'))
    .action(async (before: string, after: string, flags: Flags) => {
      const { diffFiles } = await import('./diff-files.ts');
      await diffFiles({ before, after, ...flags }, terminal);
    });
}

function addMigrate(group: Command, terminal: Terminal): void {
  type Flags = { readonly output?: string; readonly json?: true };
  group
    .command('migrate')
    .description(
      'Moves fields of the root document that documents have replaced to these documents, with their comments. It is proven ' +
        'that the result says the same.',
    )
    .argument('<machineconfig-file>', '- reads standard input')
    .option('-o, --output <file>', 'where to write it (default: standard output, secrets hidden)')
    .addOption(jsonOption())
    .addHelpText('after', examples('osctl machineconfig migrate demo/worker.yaml -o migrated.yaml'))
    .action(async (file: string, { output, json }: Flags) => {
      if (json === true && output === undefined)
        throw new UsageError('--json tells of a file that is written: name it with -o');
      const { migrateFile } = await import('./migrate-file.ts');
      await migrateFile({ file, json: json === true, ...(output === undefined ? {} : { output }) }, terminal);
    });
}

function addSplit(group: Command, terminal: Terminal): void {
  type Flags = { readonly output: string; readonly force?: true; readonly json?: true };
  group
    .command('split')
    .description(
      'Writes each document of a configuration to a file of its own; one behind the other they are the whole again.',
    )
    .argument('<machineconfig-file>', '- reads standard input')
    .requiredOption('-o, --output <directory>', 'where to write them; made when it is not there')
    .addOption(destroyingOption('-f, --force', 'replace files that exist'))
    .addOption(jsonOption())
    .addHelpText('after', examples('osctl machineconfig split demo/worker.yaml -o documents'))
    .action(async (file: string, { output, force, json }: Flags) => {
      const { splitFile } = await import('./split-file.ts');
      await splitFile({ file, directory: output, force: force === true, json: json === true }, terminal);
    });
}

function addExplain(group: Command, terminal: Terminal): void {
  group
    .command('explain')
    .description(
      'Says what a kind of document, or one of its fields, is for; without a kind, which there are.',
    )
    .argument(
      '[kind.field]',
      'UserVolumeConfig, or UserVolumeConfig.provisioning.maxSize; machine is the root document',
    )
    .addOption(formatOption())
    .addHelpText('after', examples('osctl machineconfig explain UserVolumeConfig.provisioning.maxSize'))
    .action(async (path: string | undefined, { output }: { readonly output: string }) => {
      const { explainKind } = await import('./explain-kind.ts');
      await explainKind(path, output, terminal);
    });
}
