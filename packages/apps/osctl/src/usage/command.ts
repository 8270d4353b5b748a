import { formatOption, parseSize, type Terminal } from '@nodecore/cli';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { withRemotePath } from '../files/remote-path.ts';
import type { UsageFlags } from './usage.ts';

/** `osctl usage` prints as it counts, and needs os:reader. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Shows what files and directories of nodes take of their disks.')
    .addArgument(withRemotePath('[paths...]', 'what to measure (default: /)'))
    .option('-H, --humanize', 'sizes such as 1.5KiB')
    .option('-a, --all', 'files, too, not only directories')
    .addOption(
      new Option('-t, --threshold <size>', 'only what takes so much at least; negative: at most').argParser(
        parseThreshold,
      ),
    )
    .addOption(
      new Option(
        '-d, --depth <levels>',
        'levels below each path (default: 0, the paths alone; with -a: all)',
      ).argParser(parseDepth),
    )
    .option('--apparent', 'what reading the files would give, not the blocks that they take')
    .option('-x, --one-file-system', 'without what is mounted below')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Sizes are in bytes, of blocks and with those of directories, as those of du -B1. A file with several names counts once.
Exit code 6: something could not be looked at; it is named in the end, and missing in the sums.

Examples:
  osctl usage /var /usr
  osctl du -H -d 1 /var/lib
  osctl du -a -t 100MiB /var
  osctl du -a -t -4KiB /etc`,
    );
  callsMethods(command, 'FileService/Usage');
  addGlobalFlags(command);
  command.action(async (paths: readonly string[], flags: UsageFlags) => {
    const { usage } = await import('./usage.ts');
    await usage(paths, { ...globalFlagsOf(command), ...flags }, terminal);
  });
}

function parseDepth(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number from 0.');
}

function parseThreshold(text: string): number {
  return text.startsWith('-') ? -parseSize(text.slice(1)) : parseSize(text);
}
