import { type Terminal } from '@nodecore/cli';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { withRemotePath } from '../files/remote-path.ts';
import type { ReadFlags } from './read.ts';

/** `osctl read` is for one node, and needs os:admin: files may hold secrets. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Prints a regular file of a node. Needs os:admin, and is in the audit trail of the node.')
    .addArgument(withRemotePath('<path>', 'the file'))
    .addOption(
      new Option('--offset <bytes>', 'begin there; negative: so many before the end (default: 0)').argParser(
        parseInteger(/^-?\d+$/, 'Expected a number of bytes, such as 4096 or -4096.'),
      ),
    )
    .addOption(
      new Option('--length <bytes>', 'so many at most (default: to the end)').argParser(
        parseInteger(/^\d+$/, 'Expected a number of bytes.'),
      ),
    )
    .option('-f, --follow', 'go on with what comes')
    .addHelpText(
      'after',
      `
With --follow a file that is cut off, or another one that takes its name, is printed from its beginning. On a terminal, characters
that would move the cursor are printed as in C; anywhere else bytes are as they are.

Examples:
  osctl read /etc/os-release
  osctl read /proc/meminfo
  osctl read -f --offset -4096 /var/log/daemon.log
  osctl read --offset 1048576 --length 512 /var/lib/data.bin > sector`,
    );
  callsMethods(command, 'FileService/Read');
  addGlobalFlags(command);
  command.action(async (path: string, flags: ReadFlags) => {
    const { read } = await import('./read.ts');
    await read(path, { ...globalFlagsOf(command), ...flags }, terminal);
  });
}

function parseInteger(pattern: RegExp, words: string): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (pattern.test(text) && Number.isSafeInteger(number)) return number;
    throw new InvalidArgumentError(words);
  };
}
