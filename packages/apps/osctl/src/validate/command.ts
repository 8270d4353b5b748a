import { formatOption, type Terminal } from '@nodecore/cli';
import { Option, type Command } from 'commander';
import type { Mode } from '@nodecore/config';

/** `osctl validate` calls no node; its `-c` is the configuration, and not the cluster as before the command name. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .requiredOption('-c, --config <file>', 'configuration to check; - for standard input')
    .addOption(
      new Option('-m, --mode <mode>', 'what the node runs on')
        .choices(['metal', 'cloud', 'container'])
        .makeOptionMandatory(),
    )
    .option('--strict', 'treat warnings as problems')
    .addOption(formatOption())
    .action(async (flags: { config: string; mode: Mode; strict?: true; output: string }) => {
      const { validate } = await import('./validate.ts');
      await validate(flags, terminal);
    });
}
