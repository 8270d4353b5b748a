import { parseDuration, refuseIgnored } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import type { ApplyFlags } from './send.ts';

/** As commander has them. */
export type RawApplyFlags = {
  readonly dryRun?: true;
  readonly mode: ApplyFlags['mode'];
  readonly timeout: number;
  readonly verbose?: true;
};

/** Adds --dry-run, --mode, --timeout and --verbose. */
export function addApplyFlags(command: Command): void {
  command
    .option('--dry-run', 'print what would change, secrets hidden, and change nothing')
    .addOption(
      new Option(
        '-m, --mode <mode>',
        'auto and no-reboot: now and for good; staged: at the next boot; try: until --timeout',
      )
        .choices(['auto', 'no-reboot', 'staged', 'try'])
        .default('auto'),
    )
    .addOption(
      new Option(
        '--timeout <duration>',
        'with --mode try: go back after this time unless it is applied again in another mode',
      )
        .argParser(parseDuration)
        .default(60_000, '1m0s'),
    );
  command.option('--verbose', 'a line for each warning, also where several say the same');
  refuseIgnored(command, 'timeout', 'it goes with --mode try', ({ mode }) => mode === 'try');
}

/** `timeoutMs` is always set, by default to a minute; only the mode `try` sends it. */
export function applyFlagsOf({ mode, dryRun, timeout, verbose }: RawApplyFlags): ApplyFlags {
  return { mode, dryRun: dryRun === true, timeoutMs: timeout, isVerbose: verbose === true };
}
