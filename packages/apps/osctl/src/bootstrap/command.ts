import { formatOption, type Terminal } from '@nodecore/cli';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';

type Flags = {
  readonly recoverFrom?: string;
  readonly recoverSkipHashCheck?: true;
  readonly revisionBump?: bigint;
  readonly output: string;
};

/** `osctl bootstrap` is for exactly one node, and proves a snapshot here before it sends it; needs os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Makes a node the first member of a new kvstore cluster; the others join it. Once per cluster, or after it was lost. ' +
        'Needs os:admin.',
    )
    .option('--recover-from <file>', 'begin with this snapshot')
    .option('--recover-skip-hash-check', 'it was copied out of a data directory, and has no hash at its end')
    .addOption(
      new Option(
        '--revision-bump <number>',
        'begin so many revisions after those of the snapshot, so that no client sees them go back',
      ).argParser(parseBump),
    )
    .addOption(formatOption())
    .action(async (flags: Flags) => {
      const { bootstrap } = await import('./bootstrap.ts');
      await bootstrap({ ...globalFlagsOf(command), ...flags }, terminal);
    });
  callsMethods(command, 'KvstoreService/Bootstrap');
  command.addHelpText(
    'after',
    examples('osctl bootstrap -n 10.0.0.5', 'osctl bootstrap -n 10.0.0.5 --recover-from kvstore.db'),
  );
  addGlobalFlags(command);
}

function parseBump(text: string): bigint {
  if (/^[1-9]\d{0,15}$/u.test(text)) return BigInt(text);
  throw new InvalidArgumentError('Expected a whole number from 1, such as 1000000000.');
}
