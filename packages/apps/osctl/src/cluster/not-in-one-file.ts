import { UsageError } from '@nodecore/cli';
import type { Command } from 'commander';

/** In place of `command.ts` where osctl is one file: clusters are made by programs and native code that lie beside the package. */
export function configure(command: Command): void {
  command
    .description('Local clusters: in osctl of the package @nodecore/osctl.')
    .helpCommand(false)
    .argument('[words...]')
    .allowUnknownOption()
    .action(() => {
      throw new UsageError(
        'cluster is not in osctl as one file: take osctl of the package @nodecore/osctl, or of a checkout',
      );
    });
}
