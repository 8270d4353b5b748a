import { listOption, parseDuration } from '@nodecore/cli';
import { type Command, Option } from 'commander';

/** Adds --selector and --ids. */
export function addSelectionFlags(command: Command): void {
  command
    .option(
      '-l, --selector <labels>',
      'only those with these labels: key=value, key!=value, key, !key, key in (a,b)',
    )
    .addOption(listOption('--ids <patterns>', 'only those with such ids: u-*, sd?'));
}

/** How long is waited. */
export function timeoutOption(): Option {
  return new Option('--timeout <duration>', 'how long to wait')
    .argParser(parseDuration)
    .default(300_000, '5m0s');
}
