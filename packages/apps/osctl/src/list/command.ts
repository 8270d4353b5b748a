import { formatOption, listOption, type Terminal } from '@nodecore/cli';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { withRemotePath } from '../files/remote-path.ts';
import type { ListFlags } from './list.ts';

/** `osctl list` prints as it reads, and needs os:reader. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Lists the files of nodes: names, or with -l what else is known of them.')
    .addArgument(withRemotePath('[path]', 'begin at this one (default: /)'))
    .option('-l, --long', 'mode, owner, size and time, too')
    .option('-H, --humanize', 'with -l: sizes such as 1.5KiB')
    .option('-r, --recurse', 'everything below, however deep')
    .addOption(new Option('-d, --depth <levels>', 'levels below the path (default: 1)').argParser(parseDepth))
    .addOption(
      listOption(
        '-t, --type <types>',
        'only these: f file, d directory, l link, p pipe, s socket, c and b device',
      ),
    )
    .option('-x, --one-file-system', 'without what is mounted below')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
The path itself is printed as a dot. Characters that would move the cursor, and bytes that are no UTF-8, are printed as in C: \\n, \\x1b.
Times are UTC. Exit code 6: something could not be looked at; it is named in the end.

Examples:
  osctl list /var/log
  osctl ls -l -H /etc
  osctl ls -r -t f /usr/lib
  osctl ls -l /etc -o jsonpath={.path}`,
    );
  callsMethods(command, 'FileService/List');
  addGlobalFlags(command);
  command.action(async (path: string | undefined, flags: ListFlags) => {
    const { list } = await import('./list.ts');
    await list(path ?? '/', { ...globalFlagsOf(command), ...flags }, terminal);
  });
}

function parseDepth(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number from 1.');
}
